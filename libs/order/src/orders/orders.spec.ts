import type { OrderEvent, Payment } from '#events';
import { type Actor, type Instant, money, SYSTEM } from '#kernel';
import { ManualClock, projected } from '#testing';
import { sampleCheckout } from '../../../booking/src/testing/index.js';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { ordersProjection } from './orders.projection.js';
import { spentInMonth } from './orders.js';

const COLLECTION = 'orders';
const JANUARY = '2026-01-31T23:00:00.000Z';
const FEBRUARY = '2026-02-01T03:00:00.000Z';
const ana = { holder: 'ana', clientId: 'pilot' };

/** An order that is placed and paid, its payment recorded by ana, or else by the system. */
const bought = (id: string, capturedAt: Instant, amount: Payment['amount'], actor: Actor = SYSTEM) => {
  const payment = { id, processor: 'test', method: 'card', brand: 'visa', last4: '4242', amount, capturedAt } as const;
  const placed: OrderEvent = { type: 'OrderPlaced', data: { ...sampleCheckout(), orderId: id, placedAt: capturedAt } };
  const paid: OrderEvent = { type: 'OrderPaid', data: { ticketCode: id, payment, paidAt: capturedAt } };
  return [[`order-${id}`, placed] as const, [`order-${id}`, paid, actor] as const];
};

/** What is written of a paid order that is cancelled. */
const cancelled = (id: string, refund: Payment['amount'], at: Instant) => {
  const data = { bookingId: id, refund, refundId: null, refundedAt: at, cancelledAt: at };
  return [`order-${id}`, { type: 'OrderCancelled', data } satisfies OrderEvent, ana] as const;
};

describe('what this month cost', () => {
  const store = new MemoryDocuments(new ManualClock());
  beforeAll(async () => {
    await store.prepare({ name: COLLECTION, indexes: ordersProjection.indexes });
    const documents = projected(
      ordersProjection,
      ...bought('o1', JANUARY, money(100_00, 'BRL'), ana),
      ...bought('o2', JANUARY, money(50_00, 'BRL')),
      ...bought('o3', JANUARY, money(7_00, 'USD'), ana),
      ...bought('o4', JANUARY, money(3_00, 'USD')),
      ...bought('o5', FEBRUARY, money(900_00, 'BRL'), ana),
      cancelled('o5', money(0, 'BRL'), FEBRUARY),
      cancelled('o3', money(6_00, 'USD'), FEBRUARY),
    );
    const writes = Object.entries(documents).map(([id, body]) => ({ id, body, position: '1', isNew: true }));
    await store.putGuarded(COLLECTION, writes);
  });
  const spent = (holder: string, at: Instant) => spentInMonth(store, COLLECTION, { holder, at });

  it('is all that was charged in it, whoever recorded the payments, by currency', async () => {
    expect(await spent('ana', '2026-01-02T03:00:00.000Z')).toMatchObject({
      spent: [money(150_00, 'BRL'), money(10_00, 'USD')],
      orders: 4,
    });
    expect(await spent('ana', FEBRUARY)).toMatchObject({ spent: [money(900_00, 'BRL')], orders: 1 });
  });

  it('lists what came back in it, and nothing where nothing did', async () => {
    expect(await spent('ana', FEBRUARY)).toMatchObject({ refunded: [money(6_00, 'USD')] });
    expect(await spent('ana', JANUARY)).toMatchObject({ refunded: [] });
  });

  it('is nothing where nothing was charged, and nobody is told what others spent', async () => {
    expect(await spent('ana', '2026-03-05T12:00:00.000Z')).toMatchObject({ spent: [], orders: 0 });
    expect(await spent('bruno', JANUARY)).toMatchObject({ spent: [], orders: 0 });
  });
});
