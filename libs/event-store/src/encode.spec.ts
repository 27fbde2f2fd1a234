import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { type Actor, canonicalJson, type Context, Ids, type Party, SYSTEM } from '#kernel';
import { anyText } from '#testing';
import { CHAIN_START, chainedHash, encodeEvents, expectedHash, type HashedEvent, positionOf } from './stored-event.js';
import { type EventToAppend, type StoredEvent } from './event-store.port.js';

class NumberedIds extends Ids {
  private count = 0;

  next(): string {
    return `e${(this.count += 1)}`;
  }
}

const now = '2026-01-15T12:00:00.000Z';
const context: Context = { actor: { holder: 'h', clientId: null }, correlationId: 'c', causationId: 'd' };
const versions = { versionOf: (type: string) => (type === 'OrderPaid' ? 2 : 1) };

const failed = { type: 'OrderFailed', data: { failure: 'payment_declined', failedAt: now } };
const paid = { type: 'OrderPaid', data: { paidAt: now, amount: { currency: 'BRL', amount: 1_50 } } };

const encode = (...events: readonly { readonly type: string; readonly data: object }[]) =>
  encodeEvents(versions, 'order-1', { revision: -1, hash: CHAIN_START }, events, {
    now,
    context,
    party: null,
    ids: new NumberedIds(),
  });

const storedOf = (events: readonly EventToAppend[]): readonly StoredEvent[] =>
  events.map(({ type, data, metadata }, revision) => ({
    stream: 'order-1',
    revision,
    position: positionOf(revision + 1),
    type,
    data: JSON.parse(data) as StoredEvent['data'],
    metadata: JSON.parse(metadata) as StoredEvent['metadata'],
  }));

describe('encodeEvents', () => {
  it('stores data and metadata as canonical JSON, chained over exactly these bytes (rule 27)', () => {
    const { events, hash } = encode(failed, paid);
    const [first, second] = [
      'dcaff3b225b62c5d0b38dc20eea553f0ac2c55907b129981d792e7f01411921f',
      'f431484d873e6fc09b351576f8a72f8fb32873050abbfdf00b2c4466f9548219',
    ];
    const metadata = (id: string, chained: string, version: number) =>
      `{"$causationId":"d","$correlationId":"c","actor":{"clientId":null,"holder":"h"},"eventId":"${id}",` +
      `"hash":"${chained}","occurredAt":"2026-01-15T12:00:00.000Z","schemaVersion":${version}}`;
    expect(events).toEqual([
      {
        id: 'e1',
        type: 'OrderFailed',
        data: '{"failedAt":"2026-01-15T12:00:00.000Z","failure":"payment_declined"}',
        metadata: metadata('e1', first, 1),
      },
      {
        id: 'e2',
        type: 'OrderPaid',
        data: '{"amount":{"amount":150,"currency":"BRL"},"paidAt":"2026-01-15T12:00:00.000Z"}',
        metadata: metadata('e2', second, 2),
      },
    ]);
    expect(hash).toBe(second);
  });

  it('has the hash that is recomputed from what a store gives back, whatever the data', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText(), fc.jsonValue()), (data) => {
        const { events, hash } = encode({ type: 'Noted', data });
        const [stored] = storedOf(events);
        expect(stored && expectedHash(CHAIN_START, stored)).toBe(hash);
        expect(stored?.metadata.hash).toBe(hash);
      }),
    );
  });

  it('names whose the events are where somebody else is the actor', () => {
    const party = { holder: 'h', clientId: 'agent' };
    const last = { revision: -1, hash: CHAIN_START };
    const partyBy = (actor: Actor, of: Party | null) => {
      const envelope = { now, context: { ...context, actor }, party: of, ids: new NumberedIds() };
      const { events, hash } = encodeEvents(versions, 'order-1', last, [failed], envelope);
      const [stored] = storedOf(events);
      if (!stored) throw new Error('nothing was encoded');
      expect(stored.metadata.hash).toBe(hash);
      expect(expectedHash(CHAIN_START, stored)).toBe(hash);
      expect(events[0]?.metadata).toBe(canonicalJson(stored.metadata));
      return stored.metadata.party;
    };
    expect(partyBy(SYSTEM, party)).toEqual(party);
    expect(partyBy({ holder: 'h', clientId: null }, party)).toEqual(party);
    expect(partyBy(party, party)).toBeUndefined();
    expect(partyBy(SYSTEM, null)).toBeUndefined();
  });

  it('leaves nothing of the hash member out of what is hashed, though a string looks like it', () => {
    const like = `"hash":"${'ab'.repeat(32)}",`;
    const actor = { holder: like, clientId: like };
    const { events, hash } = encodeEvents(versions, 'order-1', { revision: -1, hash: CHAIN_START }, [failed], {
      now,
      context: { actor, correlationId: like, causationId: like },
      party: actor,
      ids: new NumberedIds(),
    });
    const [stored] = storedOf(events);
    expect(stored && expectedHash(CHAIN_START, stored)).toBe(hash);
    const renamed = stored && { ...stored, metadata: { ...stored.metadata, actor: { holder: 'x', clientId: like } } };
    expect(renamed && expectedHash(CHAIN_START, renamed)).not.toBe(hash);
  });
});

describe('chainedHash', () => {
  const event: HashedEvent = { stream: 'order-1', revision: 0, type: 'OrderFailed', data: '{"n":1}', metadata: '{}' };

  it('is SHA-256 over the 32 bytes before it and the event’s canonical JSON, so that anybody can recompute it', () => {
    const json = '{"data":{"n":1},"metadata":{},"revision":0,"stream":"order-1","type":"OrderFailed"}';
    const expected = createHash('sha256').update(Buffer.alloc(32)).update(json).digest('hex');
    expect(chainedHash(CHAIN_START, event)).toBe(expected);
  });

  it('covers everything: stream, revision, type, data, metadata and the hash before it', () => {
    const hashes = [
      chainedHash(CHAIN_START, event),
      chainedHash('ff'.repeat(32), event),
      chainedHash(CHAIN_START, { ...event, stream: 'order-2' }),
      chainedHash(CHAIN_START, { ...event, revision: 1 }),
      chainedHash(CHAIN_START, { ...event, type: 'OrderPaid' }),
      chainedHash(CHAIN_START, { ...event, data: '{"n":2}' }),
      chainedHash(CHAIN_START, { ...event, metadata: '{"n":1}' }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
