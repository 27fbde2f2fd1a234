import type { BookingEvent } from '#events';
import { money } from '#kernel';
import { NOW, projected } from '#testing';
import { bookingsProjection } from './bookings.projection.js';
import { sampleCheckout } from './testing/index.js';

const trip = { flightNumber: 'AL4012', fareCode: 'CLASSICA', passengers: 2, total: money(1159_80, 'BRL') };
const of = (event: BookingEvent, id = 'b1') => [`booking-${id}`, event] as const;
const created = of({
  type: 'BookingCreated',
  data: { bookingId: 'b1', holder: 'ana', clientId: 'pilot', ...trip, createdAt: NOW },
});
const item = { holder: 'ana', createdAt: NOW, ...trip };

describe('the list of bookings', () => {
  it('has a booking as it stands, under its holder and the time it was created', () => {
    const cheaper = { ...trip, fareCode: 'LEVE', total: money(919_80, 'BRL') };
    const changed = of({ type: 'BookingChanged', data: { ...cheaper, changedAt: '2027-01-01T00:00:00.000Z' } });
    expect(projected(bookingsProjection, created)).toEqual({ b1: item });
    expect(projected(bookingsProjection, created, changed)).toEqual({ b1: { ...item, ...cheaper } });
  });

  it('does not change with an order', () => {
    const orderId = 'o1';
    const started = of({ type: 'BookingCheckoutStarted', data: { ...sampleCheckout(), openedAt: NOW } });
    const abandoned = of({ type: 'BookingCheckoutAbandoned', data: { orderId, abandonedAt: NOW } });
    const ticketed = of({ type: 'BookingTicketed', data: { orderId, ticketCode: '9770000000014', ticketedAt: NOW } });
    expect(projected(bookingsProjection, created, started, abandoned, started, ticketed)).toEqual({ b1: item });
  });
});
