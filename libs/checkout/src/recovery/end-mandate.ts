import { bookings } from '#booking/pure';
import type { Position } from '#event-store';
import { type Context, type ErrorCode, money, type Party } from '#kernel';
import { delegations, type GrantedMandate, type Mandate, mandates, statusOf } from '#mandate/pure';
import type { Checkouts } from '../checkouts.js';
import { finishCheckout } from '../checkout-saga.js';

export interface EndingMandate extends Party {
  readonly mandateId: string;
}

export interface EndedMandate {
  readonly mandate: Mandate;
  /** Where it was closed in its delegation's stream; null where it was not, or had been before. */
  readonly closedAt: Position | null;
}

/** Expires a mandate that is over, finishes its orders and closes it, any number of times (docs/consistency.md, rules 9, 16, 19, 28). */
export const endMandate = async (
  checkouts: Checkouts,
  ending: EndingMandate,
  context: Context,
): Promise<EndedMandate> => {
  const { aggregates, clock } = checkouts;
  const { mandateId } = ending;
  // Opened and never created: abandon the stream first, so that a late creation fails.
  await aggregates.handle(mandates, mandateId, { type: 'Abandon', mandateId }, context);
  await revokeEnding(checkouts, ending, context);
  let { state: mandate } = await aggregates.handle(mandates, mandateId, { type: 'Expire' }, context);
  if (mandate.kind === 'granted') {
    const status = statusOf(mandate, clock.now());
    if (status !== 'revoked' && status !== 'expired') return { mandate, closedAt: null };
    await finishReserved(checkouts, mandate, `mandate_${status}`, context);
    ({ state: mandate } = await aggregates.load(mandates, mandateId));
  }
  return { mandate, closedAt: await close(checkouts, ending, mandate, context) };
};

/** A mandate ends with its agent, or under a new cap, as its delegation says, also where there is a new consent by now. */
const revokeEnding = async (
  { aggregates }: Checkouts,
  { mandateId, holder, clientId }: EndingMandate,
  context: Context,
): Promise<void> => {
  const { state: delegation } = await aggregates.load(delegations, { holder, clientId });
  if (delegation.status === 'unknown' || !delegation.ending.includes(mandateId)) return;
  const { state: mandate } = await aggregates.load(mandates, mandateId);
  if (mandate.kind !== 'granted') return;
  await aggregates.handle(mandates, mandateId, { type: 'Revoke', holder }, context);
};

/** Finishes every order that has money of this mandate set aside: nothing of it is captured afterwards (rules 9 and 29). */
export const finishReserved = async (
  checkouts: Checkouts,
  { reservations }: GrantedMandate,
  failure: ErrorCode,
  context: Context,
): Promise<void> => {
  for (const { orderId, bookingId } of reservations)
    await finishOrder(checkouts, { orderId, bookingId, failure }, context);
};

/** Finishes an order by what its booking froze, since it may not be placed yet; where the booking has let it go, it is finished. */
const finishOrder = async (
  checkouts: Checkouts,
  {
    orderId,
    bookingId,
    failure,
  }: { readonly orderId: string; readonly bookingId: string; readonly failure: ErrorCode },
  context: Context,
): Promise<void> => {
  const { state: booking } = await checkouts.aggregates.load(bookings, bookingId);
  if (booking.kind !== 'checkout' || booking.checkout.orderId !== orderId) return;
  await finishCheckout(checkouts, { checkout: booking.checkout, failure }, context);
};

/** Closes a mandate with nothing set aside in its delegation, with what it consumed. */
const close = async (
  { aggregates }: Checkouts,
  { mandateId, holder, clientId }: EndingMandate,
  mandate: Mandate,
  context: Context,
): Promise<Position | null> => {
  if (mandate.kind === 'granted' && mandate.reservations.length > 0) return null;
  const consumed =
    mandate.kind === 'granted' ? money(mandate.consumed + mandate.refunded, mandate.limit.currency) : null;
  const command = { type: 'CloseMandate', mandateId, consumed } as const;
  return (await aggregates.handle(delegations, { holder, clientId }, command, context)).position;
};

/** Ends every mandate of an agent that is to end (rules 9, 28). */
export const endMandates = async (
  checkouts: Checkouts,
  { holder, clientId }: Party,
  context: Context,
): Promise<void> => {
  const ended = new Set<string>();
  for (;;) {
    const { state } = await checkouts.aggregates.load(delegations, { holder, clientId });
    const next = state.status === 'unknown' ? undefined : state.ending.find((mandateId) => !ended.has(mandateId));
    if (next === undefined) return;
    ended.add(next);
    await endMandate(checkouts, { mandateId: next, holder, clientId }, context);
  }
};
