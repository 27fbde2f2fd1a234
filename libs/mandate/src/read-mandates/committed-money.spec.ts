import type { Constraints, MandateEvent } from '#events';
import { CHARGE_SCOPES, type Currency, money, plus } from '#kernel';
import { ManualClock, NOW, projected } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { committedOf } from './agent-spending.js';
import { mandatesProjection } from './mandates.projection.js';

const COLLECTION = 'mandates';

interface Terms {
  readonly holder: string;
  readonly currency: Currency;
  readonly minutes: number;
  readonly constraints: Constraints;
}

const created = (
  mandateId: string,
  limit: number,
  { holder = 'ana', currency = 'BRL', minutes = 60, constraints = {} }: Partial<Terms> = {},
) => {
  const terms = {
    mandateId,
    holder,
    clientId: 'pilot',
    scope: [...CHARGE_SCOPES],
    limit: money(limit, currency),
    minutes,
    constraints,
  };
  const data = { ...terms, startsAt: NOW, expiresAt: plus(NOW, minutes * 60_000), grantedBy: 'agent' as const };
  return [`mandate-${mandateId}`, { type: 'MandateCreated', data } as MandateEvent] as const;
};
const then = (mandateId: string, event: MandateEvent) => [`mandate-${mandateId}`, event] as const;
const reserved = (mandateId: string, orderId: string, amount: number) =>
  then(mandateId, {
    type: 'MandateReserved',
    data: { orderId, bookingId: 'b', amount: money(amount, 'BRL'), holdBefore: plus(NOW, 60_000), reservedAt: NOW },
  });

describe('what agents may still charge', () => {
  const store = new MemoryDocuments(new ManualClock());
  beforeAll(async () => {
    await store.prepare({ name: COLLECTION, indexes: mandatesProjection.indexes });
    const documents = projected(
      mandatesProjection,
      created('m1', 1_000_00),
      reserved('m1', 'o1', 300_00),
      reserved('m1', 'o2', 200_00),
      then('m1', { type: 'MandateConsumed', data: { orderId: 'o2', amount: money(200_00, 'BRL'), consumedAt: NOW } }),
      created('m2', 50_00, { currency: 'EUR' }),
      created('cent', 1, { currency: 'USD' }),
      created('paused', 10_00),
      then('paused', { type: 'MandatePaused', data: { pausedAt: NOW } }),
      created('single', 90_00, { constraints: { maxOrders: 1 } }),
      reserved('single', 'o3', 20_00),
      created('revoked', 7_000_00),
      then('revoked', { type: 'MandateRevoked', data: { revokedAt: NOW } }),
      created('short', 9_000_00, { minutes: 1 }),
      created('other', 8_000_00, { holder: 'bruno' }),
    );
    const writes = Object.entries(documents).map(([id, body]) => ({ id, body, position: '1', isNew: true }));
    await store.putGuarded(COLLECTION, writes);
  });

  it('is what open and paused mandates have left, by currency', async () => {
    expect(await committedOf(store, COLLECTION, { holder: 'ana', now: plus(NOW, 120_000) })).toEqual({
      available: [money(510_00, 'BRL'), money(1, 'USD'), money(50_00, 'EUR')],
      isExact: true,
    });
  });

  it('is nothing once all of them are over', async () => {
    const nothing = { available: [], isExact: true };
    expect(await committedOf(store, COLLECTION, { holder: 'ana', now: plus(NOW, 3_600_000) })).toEqual(nothing);
    expect(await committedOf(store, COLLECTION, { holder: 'carla', now: NOW })).toEqual(nothing);
  });
});
