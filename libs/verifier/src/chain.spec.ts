import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { BEGINNING, CHAIN_START as START, expectedHash as programs, type StoredEvent } from '#event-store';
import { canonicalJson as ours } from '#kernel';
import { anyText } from '#testing';
import type { AuditedEvent, Json } from './audited-event.js';
import { hex } from './bytes.js';
import { canonicalJson } from './canonical-json.js';
import { chainBreaches, CHAIN_START, expectedHash } from './chain.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Any event, as the program's store gives it back. */
const stored = (stream: string, revision: number, data: Json): StoredEvent => ({
  stream,
  revision,
  type: 'MandateÜnder',
  data,
  position: BEGINNING,
  metadata: {
    $causationId: 'b',
    $correlationId: 'a',
    actor: { holder: 'ana', clientId: null },
    eventId: `event-${revision}`,
    hash: START,
    occurredAt: '2026-01-15T12:00:00.000Z',
    schemaVersion: 1,
  },
});

/** A stream that the program has chained. */
const written = (length: number): AuditedEvent[] => {
  let hash = START;
  return Array.from({ length }, (_, revision) => {
    const event = stored('mandate-ção-1', revision, { revision, 'ç"': '€𝄞', a: [1.5, null], b: { z: true, a: '' } });
    hash = programs(hash, event);
    return { ...event, metadata: { ...event.metadata, hash } };
  });
};

describe('the hash chain, computed a second time (rule 27)', () => {
  it('agrees with what the program writes', () => {
    const events = written(3);
    expect(chainBreaches(sha256, events)).toEqual([]);
    expect(events.map(({ metadata }) => metadata.hash)).toEqual(
      events.map((event, place) => {
        const before = events[place - 1];
        return hex(expectedHash(sha256, before ? Buffer.from(before.metadata.hash, 'hex') : CHAIN_START, event));
      }),
    );
  });

  it('writes any JSON as the program does, and hashes any event as it does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), anyText(), (value, stream) => {
        const data = JSON.parse(JSON.stringify(value)) as Json;
        expect(canonicalJson(data)).toBe(ours(data));
        const event = stored(stream, 3, data);
        expect(hex(expectedHash(sha256, CHAIN_START, event))).toBe(programs(START, event));
      }),
    );
    for (const none of [undefined, NaN, [undefined], 1n]) expect(() => canonicalJson(none)).toThrow(TypeError);
  });

  it('tells a changed event once, and what is missing, doubled or swapped by its place', () => {
    const [first, second, third] = written(3);
    if (!first || !second || !third) throw new Error('three were written');
    const told = (...events: readonly AuditedEvent[]) =>
      chainBreaches(sha256, events).map(({ rule, revision }) => [rule, revision]);
    expect(told(first, { ...second, data: { revision: 7 } }, third)).toEqual([['chain', 1]]);
    expect(told(first, { ...second, metadata: { ...second.metadata, hash: first.metadata.hash } }, third)).toEqual([
      ['chain', 1],
      ['chain', 2],
    ]);
    expect(told(first, third)).toEqual([['revision', 2]]);
    expect(told(first, first, second)).toEqual([['revision', 0]]);
    expect(told(second, third)[0]).toEqual(['revision', 1]);
  });

  it('tells a time that runs back', () => {
    const earlier = { occurredAt: '2026-01-15T11:00:00.000Z' };
    const events = written(2).map((event, place) =>
      place === 0 ? event : { ...event, metadata: { ...event.metadata, ...earlier } },
    );
    expect(chainBreaches(sha256, events).map(({ rule }) => rule)).toEqual(['chain', 'time']);
  });
});
