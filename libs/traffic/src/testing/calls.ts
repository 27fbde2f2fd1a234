import type { MinuteOfTraffic } from '#events';
import { instantOf, millisecondsOf } from '#kernel';
import { randomFrom } from '#testing';
import { AgentHashes } from '../capture/agent-hashes.js';
import { type Call, TrafficCounters } from '../capture/traffic-counters.js';

type Weighted<Item> = readonly (readonly [item: Item, weight: number])[];

const pickOf = <Item>(random: () => number, items: Weighted<Item>): Item => {
  let left = random() * items.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  throw new Error('no weight is left');
};

/** Operations with the median of their latencies (ms), and how often they are called. */
const OPERATIONS: Weighted<readonly [operation: string, median: number, refusal: Call['error'], status: number]> = [
  [['search_flights', 3, null, 422], 40],
  [['get_flight', 1, 'flight_not_found', 404], 25],
  [['quote_fares', 2, 'invalid_budget', 422], 15],
  [['create_booking', 9, 'seats_unavailable', 422], 8],
  [['create_mandate', 12, 'mandate_cap_exceeded', 422], 5],
  [['place_order', 60, 'mandate_limit_exceeded', 422], 4],
  [['complete_checkout', 70, 'mandate_limit_exceeded', 422], 1],
  [['get_receipt', 4, 'ticket_not_found', 404], 2],
];
/** Families with how many agents they have, and how often they call. The last ones are too small to be told by name. */
const FAMILIES: Weighted<readonly [family: string, agents: number]> = [
  [['gptbot', 300], 35],
  [['claude-user', 120], 25],
  [['python', 40], 20],
  [['curl', 7], 14],
  [['cohere', 4], 4],
  [['postman', 1], 2],
];
const CHANNELS: Weighted<Call['channel']> = [
  ['rest', 6],
  ['webmcp', 1],
  ['mcp', 2],
  ['ucp', 1],
];

/** What may become of any call: it does what it is for, or is refused as its operation refuses, or neither is even tried. */
const ENDS: Weighted<'as meant' | 'refused' | readonly [status: number, error: Call['error']]> = [
  ['as meant', 880],
  ['refused', 90],
  [[429, 'rate_limited'], 20],
  [[503, 'service_unavailable'], 6],
  [[499, null], 4],
];

/** So many calls from `from` on, evenly over so many milliseconds: always the same ones of a seed. */
export const callsOf = (seed: number, count: number, from: string, over: number): readonly Call[] => {
  const random = randomFrom(seed);
  const begin = millisecondsOf(from);
  return Array.from({ length: count }, (_, place): Call => {
    const [operation, median, refusal, status] = pickOf(random, OPERATIONS);
    const [family, agents] = pickOf(random, FAMILIES);
    const end = pickOf(random, ENDS);
    const [ended, error] =
      typeof end === 'object' ? end : end === 'refused' && refusal ? [status, refusal] : [200, null];
    // Log-normal, as latencies are: of two uniform numbers a normal one (Box and Muller).
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return {
      at: instantOf(begin + Math.floor((place / count) * over)),
      channel: pickOf(random, CHANNELS),
      operation,
      family,
      status: ended,
      error,
      milliseconds: median * Math.exp(0.8 * normal),
      agent: `${family} ${Math.floor(random() * agents)}`,
      isCertain: true,
    };
  });
};

/** The counts that a process would write for some calls, flushed after every so many of them. */
export function* minutesOf(calls: readonly Call[], every: number): Generator<readonly MinuteOfTraffic[]> {
  const hashes = new AgentHashes(Buffer.alloc(32, 9));
  for (let place = 0; place < calls.length; place += every) {
    const counters = new TrafficCounters();
    for (const call of calls.slice(place, place + every)) counters.count(call);
    const minutes = counters.take((...agent) => hashes.of(...agent));
    if (minutes) yield minutes;
  }
}
