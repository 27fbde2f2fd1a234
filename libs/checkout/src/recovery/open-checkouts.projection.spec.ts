import type { BookingEvent, OrderEvent } from '#events';
import { plus } from '#kernel';
import { NOW, projected } from '#testing';
import { sampleCheckout, samplePayment } from '../../../booking/src/testing/index.js';
import { openCheckoutsProjection } from './open-checkouts.projection.js';

const checkout = sampleCheckout();
const payment = samplePayment;
const ASKED_UNTIL = plus(NOW, 600_000);

const ofOrder = (event: OrderEvent, id = 'o1') => [`order-${id}`, event] as const;
const ofBooking = (event: BookingEvent) => ['booking-b1', event] as const;
const placed = ofOrder({ type: 'OrderPlaced', data: { ...checkout, placedAt: NOW } });
const challenged = (id = 'o1') =>
  ofOrder(
    {
      type: 'PaymentChallenged',
      data: { bookingId: 'b1', brand: 'visa', last4: '3220', expiresAt: ASKED_UNTIL, challengedAt: NOW },
    },
    id,
  );
const declined = (id = 'o1') => ofOrder({ type: 'PaymentDeclined', data: { bookingId: 'b1', declinedAt: NOW } }, id);
const approved = ofOrder({ type: 'PaymentApproved', data: { bookingId: 'b1', approvedAt: NOW } });
const paid = ofOrder({ type: 'OrderPaid', data: { ticketCode: '9770000000014', payment, paidAt: NOW } });
const failed = ofOrder({ type: 'OrderFailed', data: { failure: 'payment_declined', failedAt: NOW } });
const started = (orderId = 'o1') =>
  ofBooking({ type: 'BookingCheckoutStarted', data: { ...checkout, orderId, openedAt: NOW } });
const startedBy = (runner: string) =>
  ofBooking({ type: 'BookingCheckoutStarted', data: { ...checkout, runner, openedAt: NOW } });
const abandoned = (orderId = 'o1') =>
  ofBooking({ type: 'BookingCheckoutAbandoned', data: { orderId, abandonedAt: NOW } });
const ticketed = ofBooking({
  type: 'BookingTicketed',
  data: { orderId: 'o1', ticketCode: '9770000000014', ticketedAt: NOW },
});

describe('the open checkouts', () => {
  const open = (...events: Parameters<typeof projected>[1][]) => projected(openCheckoutsProjection, ...events);

  it('are those of bookings taken by an order, due when nothing can be held any more', () =>
    expect(open(started())).toEqual({ b1: { orderId: 'o1', dueAt: checkout.holdBefore } }));

  it('name the process that runs them, until the order waits for its holder (rule 8)', () => {
    expect(open(startedBy('r1'))).toEqual({ b1: { orderId: 'o1', dueAt: checkout.holdBefore, runner: 'r1' } });
    expect(open(startedBy('r1'), placed, challenged())).toEqual({ b1: { orderId: 'o1', dueAt: ASKED_UNTIL } });
  });

  it('end with a ticket, or abandoned', () => {
    expect(open(started(), placed, paid, ticketed)).toEqual({});
    expect(open(started(), placed, failed, abandoned())).toEqual({});
    expect(open(started(), abandoned(), started('o2'))).toMatchObject({ b1: { orderId: 'o2' } });
  });

  it('stay open while the order is decided and the booking does not know yet', () =>
    expect(open(started(), placed, failed)).toMatchObject({ b1: { orderId: 'o1' } }));

  it('wait for the holder as long as the challenge lives', () =>
    expect(open(started(), placed, challenged())).toEqual({ b1: { orderId: 'o1', dueAt: ASKED_UNTIL } }));

  it('are due at once where the holder refused, and at the end of the challenge where they approved (rule 10)', () => {
    expect(open(started(), placed, challenged(), declined())).toEqual({ b1: { orderId: 'o1', dueAt: NOW } });
    expect(open(started(), placed, challenged(), approved)).toEqual({ b1: { orderId: 'o1', dueAt: ASKED_UNTIL } });
    expect(open(started(), abandoned(), started('o2'), declined('o1'))).toEqual({
      b1: { orderId: 'o2', dueAt: checkout.holdBefore },
    });
  });

  it('do not wait for the challenge of an order that the booking has left', () => {
    expect(open(started(), abandoned(), started('o2'), challenged('o1'))).toEqual({
      b1: { orderId: 'o2', dueAt: checkout.holdBefore },
    });
    expect(open(started(), abandoned(), challenged('o1'))).toEqual({});
  });
});
