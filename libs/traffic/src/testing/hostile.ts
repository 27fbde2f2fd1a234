import { type Instant, instantOf, millisecondsOf } from '#kernel';
import type { Call } from '../capture/traffic-counters.js';
import { CHANNELS, FAMILIES, OPERATIONS } from '../figures/names.rule.js';
import { randomFrom } from '#testing';

/** How often a second an address may call for ever, by the limit of public reads and then some. */
const PER_SECOND = 27;

/** The calls of one address that varies agent, operation and channel over so many ms: the same ones for a seed. */
export const hostileCalls = (seed: number, from: Instant, over: number): readonly Call[] => {
  const random = randomFrom(seed);
  const one = <Item>(items: readonly Item[], otherwise: Item): Item =>
    items[Math.floor(random() * items.length)] ?? otherwise;
  const begin = millisecondsOf(from);
  return Array.from({ length: Math.floor((over * PER_SECOND) / 1_000) }, (_, place): Call => {
    const isRefused = random() < 0.5;
    return {
      at: instantOf(begin + Math.floor((place * 1_000) / PER_SECOND)),
      channel: one(CHANNELS, 'rest'),
      operation: one(OPERATIONS, 'other'),
      family: one(FAMILIES, 'other'),
      status: isRefused ? one([400, 401, 404, 422, 499], 422) : 200,
      error: isRefused ? one(['token_missing', 'invalid_query', 'flight_not_found', 'invalid_cursor'], null) : null,
      milliseconds: 0.3 * Math.exp(5 * random()),
      agent: '192.0.2.1',
      isCertain: false,
    };
  });
};
