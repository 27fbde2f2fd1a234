import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { CHAIN_START, chainedHash, type HashedEvent } from './hash-chain.js';

const event: HashedEvent = {
  stream: 'order-1',
  revision: 0,
  type: 'OrderFailed',
  data: { failure: 'payment_declined', failedAt: '2026-01-15T12:00:00.000Z' },
  metadata: {
    eventId: 'e1',
    occurredAt: '2026-01-15T12:00:00.000Z',
    actor: { holder: 'h', clientId: null },
    $correlationId: 'c',
    $causationId: 'd',
    schemaVersion: 1,
  },
};

describe('chainedHash', () => {
  it('is SHA-256 over the 32 bytes before it and the event’s canonical JSON, so that anybody can recompute it', () => {
    const json =
      '{"data":{"failedAt":"2026-01-15T12:00:00.000Z","failure":"payment_declined"},' +
      '"metadata":{"$causationId":"d","$correlationId":"c","actor":{"clientId":null,"holder":"h"},"eventId":"e1",' +
      '"occurredAt":"2026-01-15T12:00:00.000Z","schemaVersion":1},' +
      '"revision":0,"stream":"order-1","type":"OrderFailed"}';
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
      chainedHash(CHAIN_START, { ...event, data: { ...event.data, failure: 'mandate_revoked' } }),
      chainedHash(CHAIN_START, { ...event, metadata: { ...event.metadata, actor: { holder: 'i', clientId: null } } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('is the same for data as it was decided and as it is read back from a store', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (data) => {
        const readBack = JSON.parse(JSON.stringify(data)) as typeof data;
        expect(chainedHash(CHAIN_START, { ...event, data: readBack })).toBe(
          chainedHash(CHAIN_START, { ...event, data }),
        );
      }),
    );
  });
});
