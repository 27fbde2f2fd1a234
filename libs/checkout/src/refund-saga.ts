import { flights } from '#catalog/pure';
import { flightIdOf } from '#events';
import { type Context, type Instant, type Party, plus, TooLate } from '#kernel';
import { delegations, mandates } from '#mandate/pure';
import { type CancelledOrder, type CancellingOrder, type Order, orders, type PaidOrder } from '#order/pure';
import type { Position } from '#event-store';
import type { Checkouts } from './checkouts.js';
import type { RefundOutcome } from './payment/payment-processor.port.js';

export interface FinishedCancellation {
  readonly order: CancelledOrder | PaidOrder;
  /** Where in the log its seats were given back; null: they were not. */
  readonly releasedAt: Position | null;
}

/** The way back, any number of times, wherever one before ended (rules 35, 36): the processor first, the order, which leads to it, last. */
export const finishCancellation = async (
  checkouts: Checkouts,
  order: CancellingOrder,
  context: Context,
): Promise<FinishedCancellation> => {
  const { aggregates, processor } = checkouts;
  const { orderId } = order.checkout;
  const { refund } = order.cancellation;
  const outcome = refund.amount > 0 ? await processor.refund({ orderId, amount: refund }) : null;
  if (outcome?.status === 'refund_failed') {
    const { state } = await aggregates.handle(orders, orderId, { type: 'FailRefund' }, context);
    return { order: endedOf(state), releasedAt: null };
  }
  return giveBack(checkouts, order, outcome, context);
};

const giveBack = async (
  checkouts: Checkouts,
  order: CancellingOrder,
  outcome: Extract<RefundOutcome, { status: 'refunded' }> | null,
  context: Context,
): Promise<FinishedCancellation> => {
  const { aggregates, outcomes } = checkouts;
  const { orderId, line, holdBefore } = order.checkout;
  // Before the mandate can spend it again: else it could close with more than its ceiling, and the cap end others (rule 36).
  await countRefund(checkouts, order, context);
  const release = { type: 'ReleaseSeats', orderId, holdBefore } as const;
  const work = [
    refundMandate(checkouts, order, context),
    aggregates.handle(flights, flightIdOf(line), release, context),
  ] as const;
  await Promise.allSettled(work);
  const [, flight] = await Promise.all(work);
  const cancel = { refundId: outcome?.id ?? null, refundedAt: outcome?.refundedAt ?? null };
  const cancelled = await aggregates.handle(orders, orderId, { type: 'CancelOrder', ...cancel }, context);
  outcomes.written(order.checkout, cancelled.events, context);
  return { order: endedOf(cancelled.state), releasedAt: flight.position };
};

const endedOf = (order: Order): CancelledOrder | PaidOrder => {
  if (order.kind === 'cancelled' || order.kind === 'paid') return order;
  throw new Error(`an order that was paid is ${order.kind}`);
};

/** Whether a flight has left, or may have by the time of a command: then what was written is no longer kept in the state. */
const isOver = ({ clock, settings }: Checkouts, departsAt: Instant | null): boolean =>
  departsAt === null || plus(clock.now(), settings.hold) >= departsAt;

/** Gives the money back to its mandate, once: after the flight has left, the stream says whether that was done (rule 36). */
const refundMandate = async (checkouts: Checkouts, { checkout, cancellation }: CancellingOrder, context: Context) => {
  const { aggregates, clock, settings } = checkouts;
  const { orderId, mandateId } = checkout;
  const { refund: amount, departsAt } = cancellation;
  const refundBefore = plus(clock.now(), settings.hold);
  if (isOver(checkouts, departsAt) && (await wasRefunded(checkouts, mandateId, orderId))) return;
  const command = { type: 'Refund', orderId, amount, departsAt, refundBefore } as const;
  await aggregates.handle(mandates, mandateId, command, context);
};

const wasRefunded = async ({ events }: Checkouts, mandateId: string, orderId: string): Promise<boolean> => {
  for await (const { type, data } of events.readStream(mandates.streamOf(mandateId)))
    if (type === 'MandateRefunded' && data['orderId'] === orderId) return true;
  return false;
};

/** Looks at a delegation before a count fails for good: a mandate is closed once, and a step that came too late is tried again. */
const LOOKS = 3;

/** Counts what came back against the agent's cap, once (rule 36). Whether its mandate is open, the command decides. */
const countRefund = async (
  checkouts: Checkouts,
  { checkout, cancellation }: CancellingOrder,
  context: Context,
): Promise<void> => {
  const { aggregates, clock, settings } = checkouts;
  const { orderId, mandateId, holder, clientId } = checkout;
  const { refund: amount, departsAt } = cancellation;
  if (amount.amount === 0) return;
  for (let looks = 0; ; looks += 1) {
    const countBefore = plus(clock.now(), settings.hold);
    const mustLook = looks > 0 || isOver(checkouts, departsAt);
    const found = mustLook ? await countedIn(checkouts, { holder, clientId }, mandateId, orderId) : 'open';
    if (found === 'done') return;
    const wasCounted = found === 'open' ? null : found === 'counts';
    const command = { type: 'CountRefund', mandateId, orderId, amount, departsAt, wasCounted, countBefore } as const;
    try {
      await aggregates.handle(delegations, { holder, clientId }, command, context);
      return;
    } catch (error) {
      if (!(error instanceof TooLate) || looks === LOOKS) throw error;
    }
  }
};

/** Whether the delegation has counted an order's refund; else whether its mandate is open, and if not, whether its charges count. */
const countedIn = async (
  { events }: Checkouts,
  party: Party,
  mandateId: string,
  orderId: string,
): Promise<'done' | 'open' | 'counts' | 'does not'> => {
  let hasCap = false;
  let found: 'open' | 'counts' | 'does not' = 'does not';
  for await (const { type, data } of events.readStream(delegations.streamOf(party))) {
    if (type === 'MandateRefundCounted' && data['orderId'] === orderId) return 'done';
    if (type === 'SpendingCapSet') hasCap ||= data['cap'] !== null;
    if (type === 'MandateOpened' && data['mandateId'] === mandateId) found = 'open';
    if (type === 'MandateClosed' && data['mandateId'] === mandateId) found = hasCap ? 'counts' : 'does not';
  }
  return found;
};
