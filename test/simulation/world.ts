import type { Constraints } from '#events';
import { baseUrlsAt } from '#http';
import { CHARGE_SCOPES, type Currency, money, type Party, type Scope } from '#kernel';
import { CARDS, PRICE } from '../support/market.js';
import { GIVEN_NAME } from './judge/people.js';

export const AGENTS = [
  { holder: 'ana', clientId: 'pilot' },
  { holder: 'bruno', clientId: 'pilot' },
  { holder: 'ana', clientId: 'other' },
  { holder: 'bruno', clientId: 'other' },
  { holder: 'ana', clientId: 'third' },
] as const satisfies readonly Party[];

interface PossibleMandate {
  /** Its ceiling, in seats of the cheaper fare. */
  readonly trips: number;
  readonly minutes: number;
  /** BRL where nothing is said. */
  readonly currency?: Currency;
  /** All that a charge takes where nothing is said. */
  readonly scope?: readonly Scope[];
  readonly constraints?: Constraints;
}

/** A seat in the dearer fare is above it. */
const maxPricePerSeat = money(PRICE, 'BRL');

/** The mandates of an agent, by place: those that it creates or asks for, and those of authorization details. */
export const MANDATES: readonly PossibleMandate[] = [
  { trips: 2, minutes: 60 },
  { trips: 1, minutes: 1 },
  { trips: 3, minutes: 60, constraints: { maxOrders: 1, maxPricePerSeat } },
  { trips: 1, minutes: 60 },
  { trips: 2, minutes: 30, constraints: { to: ['REC'], maxOrders: 1 } },
  { trips: 2, minutes: 60, constraints: { from: ['GIG'] } },
  { trips: 3, minutes: 60, constraints: { orderTotal: { max: maxPricePerSeat } } },
  { trips: 2, minutes: 60 },
  { trips: 3, minutes: 60, constraints: { maxOrders: 1, maxPricePerSeat } },
  { trips: 2, minutes: 30 },
  { trips: 2, minutes: 60, currency: 'USD' },
  { trips: 2, minutes: 60, scope: ['catalog:read'] },
];
/** How many of them the agent may create; the first ones in `BEGUN` are there from the beginning. */
export const CREATED = 7;
/** Further ones that it may create, and that can never pay. */
export const ODD = [10, 11] as const;
export const BEGUN: readonly number[] = [0, 2];
/** The authorization requests of an agent that wait for its traveller: the places of their details. */
export const REQUESTS: readonly (readonly number[])[] = [[7, 8], [9]];

/** The bookings of an agent: one is in a fare that some mandates do not pay. A draft has no fare yet, and one flight leaves soon. */
export const BOOKINGS = [
  { seats: 1, fare: 'LEVE' },
  { seats: 2, fare: 'LEVE' },
  { seats: 1, fare: 'LEVE', isNamed: true },
  { seats: 1, fare: 'CLASSICA' },
  { seats: 1, fare: null },
  { seats: 1, fare: 'LEVE', isSoon: true },
] as const;
/** The checkout sessions of the platform, which anybody may buy. */
export const SESSIONS = [
  { seats: 1, fare: 'LEVE' },
  { seats: 2, fare: 'LEVE' },
  { seats: 1, fare: 'CLASSICA' },
] as const;
/** Who flies with a booking: as many as it is for, of a family that is named as the booking. */
export const peopleOf = (familyName: string, seats: number) => ({
  travellers: Array.from({ length: seats }, () => ({ givenName: GIVEN_NAME, familyName })),
});
/** What all of them but that one are for: a departure of a timetable, whose stream begins with who touches it first. */
export const DEPARTURE = 'AL4012.2026-03-01';
/** Where it leaves, and a day that is sold by no clock of a life. */
export const [ZONE, UNOPENED] = ['America/Sao_Paulo', '2026-03-16'];
/** The number of a flight that leaves soon after the beginning of a life. */
export const SOON = 'AL4100';
export const SEATS = 9;
/** How long (ms) a price is promised: shorter than most lives. */
export const PROMISE = 30_000;

/** The details of an authorization request, each of up to so many trips. */
export const detailsOf = (mandateIds: readonly string[], places: readonly number[], atMost: number) =>
  places.map((place) => {
    const { trips = 1, minutes = 60, constraints } = MANDATES[place] ?? {};
    const limit = money(Math.min(trips, atMost) * PRICE, 'BRL');
    const terms = { mandateId: mandateIds[place] ?? '', scope: [...CHARGE_SCOPES], limit, minutes };
    return { ...terms, ...(constraints && { constraints }), purpose: 'Férias' };
  });

/** Where the processes are. */
export const URLS = baseUrlsAt('http://127.0.0.1:3000');

/** The card that somebody pays with: one of the processor's, or a good one that has expired. */
export type Paying = keyof typeof CARDS | 'expired';

export const paymentBy = (card: Paying) => ({
  cardNumber: CARDS[card === 'expired' ? 'good' : card],
  expiry: card === 'expired' ? '12/20' : '12/30',
  cvc: '123',
});
