import type { Constraints } from '#events';
import { money } from '#kernel';
import { PRICE } from '../support/market.js';

/** A mandate that somebody may create. */
interface PossibleMandate {
  /** Its ceiling, in seats of the cheaper fare. */
  readonly trips: number;
  readonly minutes: number;
  readonly constraints?: Constraints;
}

/** A seat in the dearer fare is above it. */
const maxPricePerSeat = money(PRICE, 'BRL');

/** The mandates of a life, by place: those that the agent creates or asks for, and those of authorization details. */
export const MANDATES: readonly PossibleMandate[] = [
  { trips: 2, minutes: 60 },
  { trips: 1, minutes: 1 },
  { trips: 3, minutes: 60, constraints: { maxOrders: 1, maxPricePerSeat } },
  { trips: 1, minutes: 60 },
  { trips: 2, minutes: 30, constraints: { to: ['REC'], maxOrders: 1 } },
  { trips: 2, minutes: 60, constraints: { from: ['GIG'] } },
  { trips: 3, minutes: 60 },
  { trips: 2, minutes: 60 },
  { trips: 3, minutes: 60, constraints: { maxOrders: 1, maxPricePerSeat } },
  { trips: 2, minutes: 30 },
];
/** How many of them the agent may create. */
export const CREATED = 7;
/** The authorization requests that wait for their traveller: the places of their details. */
export const REQUESTS: readonly (readonly number[])[] = [[7, 8], [9]];

/** The bookings of a life: five seats are wanted, and there are four. One is in a fare that some mandates do not pay. */
export const BOOKINGS = [
  { seats: 1, fare: 'LEVE' },
  { seats: 2, fare: 'LEVE' },
  { seats: 1, fare: 'LEVE' },
  { seats: 1, fare: 'CLASSICA' },
] as const;
export const SEATS = 4;
