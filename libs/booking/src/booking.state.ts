import { type BookingEvent, type Checkout, type Conditions, flightIdOf, type FlightName } from '#events';
import { canonicalJson, type Instant, type Money, plus, sameMoney } from '#kernel';

/** What is booked: nothing yet (an empty draft), a flight, or a flight at a fare. */
export interface Choice extends FlightName<string | null> {
  /** Local date and instant of departure; undefined: the flight has no date, or they were not noted. */
  readonly departureDate?: string | undefined;
  readonly departureAt?: Instant | undefined;
  readonly fareCode: string | null;
  readonly passengers: number;
  /** Price of the whole party when it was chosen; 0 BRL for a draft. */
  readonly total: Money;
  /** Its share of taxes; undefined: it was stored before they were kept apart. */
  readonly taxes?: Money | undefined;
  /** What comes back of it; undefined: of before there were any. */
  readonly conditions?: Conditions | undefined;
  /** Until when the price is promised; undefined: without an end, or there is none yet. */
  readonly expiresAt?: Instant | undefined;
}

export interface BookedChoice extends Choice {
  readonly bookingId: string;
  /** Whether passengers were named; undefined: it was stored before that was recorded. */
  readonly named?: boolean | undefined;
}

interface Existing {
  readonly bookingId: string;
  readonly holder: string;
  /** The agent that created it, the only one that may change or order it. */
  readonly clientId: string;
  readonly choice: Choice;
  readonly createdAt: Instant;
  readonly named?: BookedChoice['named'];
  /** Orders abandoned in the last ten minutes before the latest one, by id: a failed challenge is remembered so long. */
  readonly abandoned: Readonly<Record<string, Instant>>;
  /** By which of its orders each mandate of AP2 was redeemed; undefined: none was. */
  readonly redeemed?: Readonly<Record<string, string>> | undefined;
}

/** Taken by one order that is not decided yet. */
export type TakenBooking = Existing & { readonly kind: 'checkout'; readonly checkout: Checkout };

/** The state of `booking-<id>`. */
export type Booking =
  | { readonly kind: 'none' }
  | (Existing & { readonly kind: 'open' })
  | TakenBooking
  | (Existing & { readonly kind: 'ticketed'; readonly orderId: string });

export type ExistingBooking = Exclude<Booking, { kind: 'none' }>;

export const sameChoice = (one: Choice, other: Choice): boolean =>
  flightIdOf(one) === flightIdOf(other) &&
  one.fareCode === other.fareCode &&
  one.passengers === other.passengers &&
  sameMoney(one.total, other.total) &&
  one.taxes?.amount === other.taxes?.amount &&
  sameConditions(one.conditions, other.conditions) &&
  one.expiresAt === other.expiresAt;

const sameConditions = (one: Conditions | undefined, other: Conditions | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));

/** Whether the price that was chosen holds at an instant (docs/consistency.md, rule 34). */
export const isPromised = ({ expiresAt }: Choice, now: Instant): boolean => expiresAt === undefined || now < expiresAt;

/** How long an abandoned order is remembered, in ms (docs/decisions.md, Test processor). */
const ABANDONED_MEMORY = 600_000;

export const evolveBooking = (booking: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated') {
    const { bookingId, holder, clientId, createdAt, named } = event.data;
    const choice = choiceOf(event.data);
    return { kind: 'open', bookingId, holder, clientId, choice, createdAt, named, abandoned: {} };
  }
  if (booking.kind === 'none') return booking;
  const { bookingId, holder, clientId, choice, createdAt, named, abandoned, redeemed } = booking;
  const existing = { bookingId, holder, clientId, choice, createdAt, named, abandoned, redeemed };
  switch (event.type) {
    case 'BookingChanged':
      return { ...existing, kind: 'open', choice: choiceOf(event.data), named: event.data.named ?? named };
    case 'BookingCheckoutStarted': {
      const { openedAt: _, runner: __, accepted: ___, ...checkout } = event.data;
      const { ap2, orderId } = checkout;
      const closed = ap2 && { [ap2.checkout.redemption]: orderId, [ap2.payment.redemption]: orderId };
      return { ...existing, kind: 'checkout', checkout, redeemed: closed ? { ...redeemed, ...closed } : redeemed };
    }
    case 'BookingCheckoutAbandoned': {
      const { orderId, abandonedAt } = event.data;
      const since = plus(abandonedAt, -ABANDONED_MEMORY);
      const recent = Object.entries(abandoned).filter(([, at]) => at > since);
      return { ...existing, kind: 'open', abandoned: { ...Object.fromEntries(recent), [orderId]: abandonedAt } };
    }
    case 'BookingTicketed':
      return { ...existing, kind: 'ticketed', orderId: event.data.orderId };
  }
};

/** Each member by itself: what is left of an object, or spread where it is there, takes twenty times as long, in every order. */
const choiceOf = ({
  flightId,
  flightNumber,
  departureDate,
  departureAt,
  fareCode,
  passengers,
  total,
  taxes,
  conditions,
  expiresAt,
}: Choice): Choice => ({
  flightId,
  flightNumber,
  departureDate,
  departureAt,
  fareCode,
  passengers,
  total,
  taxes,
  conditions,
  expiresAt,
});
