import type { Checkout } from '#events';
import { type Instant, type Money, sameMoney } from '#kernel';

/** What is booked: nothing yet (an empty draft), a flight, or a flight at a fare. */
export interface Choice {
  readonly flightNumber: string | null;
  readonly fareCode: string | null;
  readonly passengers: number;
  /** Price of the whole party when it was chosen; 0 BRL for a draft. */
  readonly total: Money;
}

interface Existing {
  readonly bookingId: string;
  readonly holder: string;
  /** The agent that created it, the only one that may change or order it. */
  readonly clientId: string;
  readonly choice: Choice;
  readonly createdAt: Instant;
  /** Orders abandoned in the last ten minutes before the latest one, by id: a failed challenge is remembered so long. */
  readonly abandoned: Readonly<Record<string, Instant>>;
}

/** The state of `booking-<id>`. */
export type Booking =
  | { readonly kind: 'none' }
  | (Existing & { readonly kind: 'open' })
  /** Taken by one order that is not decided yet. */
  | (Existing & { readonly kind: 'checkout'; readonly checkout: Checkout })
  | (Existing & { readonly kind: 'ticketed'; readonly orderId: string });

export type ExistingBooking = Exclude<Booking, { kind: 'none' }>;

/** Whether two choices are the same. */
export const sameChoice = (one: Choice, other: Choice): boolean =>
  one.flightNumber === other.flightNumber &&
  one.fareCode === other.fareCode &&
  one.passengers === other.passengers &&
  sameMoney(one.total, other.total);
