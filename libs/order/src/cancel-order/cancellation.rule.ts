import { type CancellationReason, keptOf, minutesIn, NO_CONDITIONS } from '#events';
import { earliest, type Instant, latest, millisecondsOf, type Money, money, plus } from '#kernel';
import type { PaidOrder } from '../order.decider.js';

/** When a flight leaves: an instant, the day there, and the day there on which it was bought. */
export interface Departure {
  readonly at: Instant;
  readonly date: string;
  readonly boughtOn: string;
  /** The airline does not fly it. */
  readonly isCancelled: boolean;
}

/** What a cancellation gives back now, since when, and until when that holds at most. */
export interface QuotedRefund {
  readonly reason: CancellationReason;
  readonly refund: Money;
  readonly fee: Money;
  /** Before it something else came back: a clock that is ahead may quote what does not hold yet. */
  readonly holdsFrom: Instant;
  readonly expiresAt: Instant;
}

const [MINUTE, DAY] = [60_000, 86_400_000];
/** How long (ms) a quote holds at most. */
const QUOTE = 15 * MINUTE;
/** A purchase so many local days before departure can be withdrawn from for a day (ANAC Res. 400, art. 11). */
const [DAYS_BEFORE, CHANGE_OF_MIND] = [7, DAY];

/** What comes back of a paid order whose flight has not left, or is cancelled (docs/decisions.md, Cancellation). */
export const quotedRefund = (order: PaidOrder, departure: Departure, now: Instant): QuotedRefund => {
  const { line, total } = order.checkout;
  const { conditions = NO_CONDITIONS, taxes } = line;
  const { paidAt } = order;
  const everything = { refund: total, fee: money(0, total.currency), holdsFrom: paidAt };
  if (departure.isCancelled) return { reason: 'flight_cancelled', ...everything, expiresAt: plus(now, QUOTE) };
  const quoteEnds = earliest(plus(now, QUOTE), departure.at);
  const changeEnds = conditions.withdrawal && isEarly(departure) ? plus(paidAt, CHANGE_OF_MIND) : paidAt;
  if (now < changeEnds) return { reason: 'withdrawal', ...everything, expiresAt: earliest(quoteEnds, changeEnds) };
  const taxed = taxes?.amount ?? 0;
  const left = millisecondsOf(departure.at) - millisecondsOf(now);
  const priced = { base: total.amount - taxed, taxes: taxed, passengers: line.passengers };
  const kept = keptOf(conditions, priced, Math.floor(left / MINUTE));
  const steps = conditions.cancellation.map(({ until }) => plus(departure.at, 1 - minutesIn(until) * MINUTE));
  return {
    reason: 'fare_rule',
    refund: money(total.amount - kept, total.currency),
    fee: money(kept, total.currency),
    holdsFrom: steps.filter((step) => step <= now).reduce(latest, changeEnds),
    expiresAt: steps.filter((step) => step > now).reduce(earliest, quoteEnds),
  };
};

const isEarly = ({ date, boughtOn }: Departure): boolean =>
  Date.parse(date) - Date.parse(boughtOn) >= DAYS_BEFORE * DAY;
