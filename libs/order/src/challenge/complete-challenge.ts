import { loadBooking, OrderInTheWay, type TakenBooking } from '#booking';
import { type Checkouts, finishCheckout, type FinishedCheckout, followDecision } from '#checkout';
import type { Aggregates } from '#event-store';
import {
  type Context,
  DomainError,
  earliest,
  type ErrorCode,
  type Instant,
  type Money,
  type Party,
  plus,
} from '#kernel';
import { grantedOf, mandates, statusOf } from '#mandate';
import { type ChallengedOrder, isChallenged, orders } from '../order.decider.js';
import { isNamed } from '../place-order/charged-price.rule.js';
import type { OrderRequest } from '../place-order/check-order.js';

export type WaitingOrder = ChallengedOrder & { readonly promised: Money };

/** The order of this agent and traveller that has the booking and waits for its holder; null where there is none. */
export const challengedOrderOf = async (
  aggregates: Aggregates,
  booking: TakenBooking,
  { holder, clientId }: Party,
): Promise<WaitingOrder | null> => {
  if (booking.holder !== holder || booking.clientId !== clientId) return null;
  const { state } = await aggregates.load(orders, booking.checkout.orderId);
  return isChallenged(state) ? { ...state, promised: booking.choice.total } : null;
};

/** Whether a request is that of the order that waits: neither another card nor another mandate (docs/consistency.md, rule 10). */
const isSameRequest = async (
  { processor }: Checkouts,
  { checkout }: ChallengedOrder,
  { mandateId = checkout.mandateId, card }: OrderRequest,
): Promise<boolean> => mandateId === checkout.mandateId && (await processor.wasCard(checkout.orderId, card));

const isExpected = ({ checkout: { total }, promised }: WaitingOrder, request: OrderRequest): boolean =>
  isNamed(total, promised, request);

/** Completes a challenged order when its agent orders the same again (rules 10, 11). @throws OrderInTheWay; `total_changed` */
export const completeChallenge = async (
  checkouts: Checkouts,
  order: WaitingOrder,
  request: OrderRequest,
  context: Context,
): Promise<FinishedCheckout | 'waiting'> => {
  const { processor, clock, settings } = checkouts;
  const { checkout } = order;
  const { orderId, mandateId } = checkout;
  if (!(await isSameRequest(checkouts, order, request))) throw new OrderInTheWay('order_in_progress', orderId);
  if (!isExpected(order, request)) throw new DomainError('total_changed');

  if (order.challenge.decided?.decision === 'deny')
    return finishCheckout(checkouts, { checkout, order, failure: 'payment_challenge_failed' }, context);
  const begun = clock.now(); // before the mandate is looked at, so that one narrowed afterwards outlasts the capture
  const { refusal, expiresAt } = await checkMandate(checkouts, mandateId);
  if (refusal) return finishCheckout(checkouts, { checkout, failure: refusal }, context);
  const notAfter = earliest(expiresAt, plus(begun, settings.charge));
  await followDecision(processor, order);
  const outcome = await processor.capture(orderId, notAfter);
  if (outcome.status === 'challenged') return 'waiting';
  // Closed without a decision of the holder: the time the mandate left was over.
  return finishCheckout(checkouts, { checkout, failure: 'mandate_expired' }, context);
};

const checkMandate = async (
  { aggregates, clock }: Checkouts,
  mandateId: string,
): Promise<{ readonly refusal: ErrorCode | null; readonly expiresAt: Instant }> => {
  const { state } = await aggregates.load(mandates, mandateId);
  const mandate = grantedOf(state);
  const status = statusOf(mandate, clock.now());
  const isStopped = status === 'revoked' || status === 'expired' || status === 'paused';
  return { refusal: isStopped ? `mandate_${status}` : null, expiresAt: mandate.expiresAt };
};

/** Id of the waiting order that this request would complete, so that its key knows it again (rules 10, 21); null: it would place one. */
export const orderToComplete = async (
  checkouts: Checkouts,
  party: Party,
  request: OrderRequest,
): Promise<string | null> => {
  const { aggregates } = checkouts;
  const booking = await loadBooking(aggregates, request.bookingId);
  const order = booking.kind === 'checkout' ? await challengedOrderOf(aggregates, booking, party) : null;
  const isOwn = order && isExpected(order, request) && (await isSameRequest(checkouts, order, request));
  return isOwn ? order.checkout.orderId : null;
};
