import type { OrderEvent } from '#events';
import { money, plus } from '#kernel';
import { NOW, projected } from '#testing';
import { sampleCheckout, samplePayment } from '../../../booking/src/testing/index.js';
import { ordersProjection } from './orders.projection.js';

const checkout = sampleCheckout();
const payment = samplePayment;
const ASKED_UNTIL = plus(NOW, 600_000);

const ofOrder = (event: OrderEvent, id = 'o1') => [`order-${id}`, event] as const;
const placed = ofOrder({ type: 'OrderPlaced', data: { ...checkout, placedAt: NOW } });
const challenged = (id = 'o1') =>
  ofOrder(
    {
      type: 'PaymentChallenged',
      data: { bookingId: 'b1', brand: 'visa', last4: '3220', expiresAt: ASKED_UNTIL, challengedAt: NOW },
    },
    id,
  );
const paid = ofOrder({ type: 'OrderPaid', data: { ticketCode: '9770000000014', payment, paidAt: NOW } });
const failed = ofOrder({ type: 'OrderFailed', data: { failure: 'payment_declined', failedAt: NOW } });

describe('the list of orders', () => {
  const listed = (...events: Parameters<typeof projected>[1][]) => projected(ordersProjection, ...events);

  it('has every order that was placed, with its holder and how it stands', () => {
    expect(listed(placed)).toMatchObject({ o1: { holder: 'ana', placedAt: NOW, kind: 'pending', checkout } });
    expect(listed(placed, challenged())).toMatchObject({ o1: { holder: 'ana', kind: 'pending' } });
    expect(listed(placed, paid)).toMatchObject({ o1: { holder: 'ana', kind: 'paid', ticketCode: '9770000000014' } });
    expect(listed(placed, failed)).toMatchObject({
      o1: { holder: 'ana', kind: 'failed', failure: 'payment_declined' },
    });
  });
});

describe('what a holder was charged in a month', () => {
  const ana = { holder: 'ana', clientId: 'pilot' };
  const charged = (id: string, capturedAt: string, amount = money(100_00, 'BRL')) => {
    const data = { ticketCode: id, payment: { ...payment, capturedAt, amount }, paidAt: capturedAt };
    return [`order-${id}`, { type: 'OrderPaid', data } as OrderEvent, ana] as const;
  };
  const placedAs = (id: string) =>
    ofOrder({ type: 'OrderPlaced', data: { ...checkout, orderId: id, placedAt: NOW } }, id);
  const months = (...events: Parameters<typeof projected>[1][]) =>
    Object.fromEntries(
      Object.entries(projected(ordersProjection, ...events)).filter(([, document]) => document.kind === 'month'),
    );

  it('is summed by currency, for each month in Brasília', () => {
    const ids = ['o1', 'o2', 'o3', 'o4'].map(placedAs);
    expect(
      months(
        ...ids,
        charged('o1', '2026-02-01T02:59:59.999Z'),
        charged('o2', '2026-02-01T03:00:00.000Z'),
        charged('o3', '2026-03-01T02:59:59.999Z'),
        charged('o4', '2026-02-10T12:00:00.000Z', money(5_00, 'USD')),
      ),
    ).toEqual({
      '2026-01 ana': { kind: 'month', spent: { BRL: 100_00 }, orders: 1 },
      '2026-02 ana': { kind: 'month', spent: { BRL: 200_00, USD: 5_00 }, orders: 3 },
    });
  });

  it('counts nothing that was not charged', () => {
    expect(months(placed, challenged())).toEqual({});
    expect(months(placed, failed)).toEqual({});
  });

  it('stays with the order where the system recorded the payment, which names no holder', () => {
    expect(months(placed, paid)).toEqual({});
    expect(projected(ordersProjection, placed, paid)).toMatchObject({ o1: { apart: '2026-01 ana' } });
    expect(projected(ordersProjection, placed, charged('o1', NOW))['o1']).not.toHaveProperty('apart');
  });
});
