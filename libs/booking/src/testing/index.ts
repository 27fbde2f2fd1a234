import type { Checkout, Payment } from '#events';
import { money, plus } from '#kernel';
import { NOW } from '#testing';

export { ChangeBooking, ChangeBookingHandler } from '../change-booking.js';
export { type BookingCommand, priced } from '../booking.decider.js';
export { CreateBooking, CreateBookingHandler, offerOf } from '../create-booking.js';

/** A checkout for tests: Ana's pilot agent buys two seats on AL4012. */
export const sampleCheckout = (changes: Partial<Checkout> = {}): Checkout => ({
  orderId: 'o1',
  bookingId: 'b1',
  mandateId: 'm1',
  mandateSelection: 'explicit',
  holder: 'ana',
  clientId: 'pilot',
  line: {
    description: 'Voo AL4012, GRU–REC (Recife), tarifa Clássica',
    flightNumber: 'AL4012',
    from: 'GRU',
    to: 'REC',
    departureDate: null,
    departureTime: '15:30',
    arrivalTime: '18:45',
    arrivalDayOffset: 0,
    fareCode: 'CLASSICA',
    fareName: 'Clássica',
    baggage: 'checked',
    passengers: 2,
    unitPrice: money(579_90, 'BRL'),
    subtotal: money(1159_80, 'BRL'),
  },
  total: money(1159_80, 'BRL'),
  holdBefore: plus(NOW, 60_000),
  ...changes,
});

export const samplePayment: Payment = {
  id: 'p1',
  processor: 'test',
  method: 'card',
  brand: 'visa',
  last4: '4242',
  amount: sampleCheckout().total,
  capturedAt: NOW,
};
