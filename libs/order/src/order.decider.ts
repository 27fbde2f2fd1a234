import {
  type CancellationReason,
  type Checkout,
  type OrderEvent,
  orderEvents,
  type Payment,
  streamType,
  type TicketCodes,
} from '#events';
import { type Decider, DomainError, type ErrorCode, type Instant, type Money, partyOf, type Stamped } from '#kernel';

interface Placed {
  readonly checkout: Checkout;
  readonly placedAt: Instant;
  /** What the holder was asked, if the processor wanted their confirmation. */
  readonly challenge: OrderChallenge | null;
}

interface Question {
  readonly brand: string;
  readonly last4: string;
  readonly expiresAt: Instant;
}

export type PaymentDecision = 'approve' | 'deny';

/** What the traveller was asked, and what they said; null: nothing. */
export interface OrderChallenge extends Question {
  readonly decided: { readonly decision: PaymentDecision; readonly at: Instant } | null;
}

export type PendingOrder = Placed & { readonly kind: 'pending' };
/** What a cancellation gives back, and why: frozen when it begins. */
export interface Cancellation {
  readonly cancellationId: string;
  readonly reason: CancellationReason;
  readonly refund: Money;
  /** What stays with the airline: `refund` and `fee` are what was paid. */
  readonly fee: Money;
  /** null: the flight has no date. */
  readonly departsAt: Instant | null;
  readonly startedAt: Instant;
}

interface Ticketed extends Placed {
  readonly ticketCode: string;
  readonly ticketCodes?: readonly string[] | undefined;
  readonly payment: Payment;
  readonly paidAt: Instant;
}

export type PaidOrder = Ticketed & {
  readonly kind: 'paid';
  /** Being carried out, or refused by the processor; absent: nobody cancelled it. */
  readonly cancellation?: Cancellation & { readonly failedAt: Instant | null };
};
export type CancellingOrder = PaidOrder & { readonly cancellation: Cancellation & { readonly failedAt: null } };
export type CancelledOrder = Ticketed & {
  readonly kind: 'cancelled';
  readonly cancellation: Cancellation;
  /** At the processor; null: nothing came back. */
  readonly refundId: string | null;
  readonly refundedAt: Instant;
  readonly cancelledAt: Instant;
};
export type ChargedOrder = PaidOrder | CancelledOrder;

export const isCharged = (order: Order): order is ChargedOrder => order.kind === 'paid' || order.kind === 'cancelled';
export const isCancelling = (order: Order): order is CancellingOrder =>
  order.kind === 'paid' && order.cancellation?.failedAt === null;

export type FailedOrder = Placed & {
  readonly kind: 'failed';
  readonly failure: ErrorCode;
  readonly failedAt: Instant;
};

/** The state of `order-<id>`: paid or failed, never both (docs/consistency.md, rule 5); a paid one may be cancelled. */
export type PlacedOrder = PendingOrder | PaidOrder | CancelledOrder | FailedOrder;
export type Order = { readonly kind: 'none' } | PlacedOrder;

/** Its tickets: one a passenger, but in an order of before they had each their own, where one is for all. */
export const ticketCodesOf = ({ ticketCode, ticketCodes = [ticketCode] }: Ticketed): readonly string[] => ticketCodes;

/** An order that waits for its holder to confirm the payment. */
export type ChallengedOrder = PendingOrder & { readonly challenge: OrderChallenge };

export const isChallenged = (order: Order): order is ChallengedOrder =>
  order.kind === 'pending' && order.challenge !== null;

/** Whether it still waits: what its holder refused is to be finished. */
export const isWaiting = (order: Order): order is ChallengedOrder =>
  isChallenged(order) && order.challenge.decided?.decision !== 'deny';

export type OrderCommand =
  | { readonly type: 'PlaceOrder'; readonly checkout: Checkout }
  | ({ readonly type: 'ChallengePayment' } & Question)
  /** The holder's word: the first one counts, and none after the end of the challenge (rule 10). */
  | { readonly type: 'DecidePayment'; readonly decision: PaymentDecision }
  | { readonly type: 'PayOrder'; readonly ticketCodes: TicketCodes; readonly payment: Payment }
  /** Fails the order; one that was never placed is placed and failed together, so that nobody places it later. */
  | { readonly type: 'FailOrder'; readonly checkout: Checkout; readonly failure: ErrorCode }
  /** Begins the way back, as it was quoted: not before `quotedFrom`, nor from `quotedUntil` on. */
  | ({
      readonly type: 'StartCancellation';
      readonly quotedFrom: Instant | undefined;
      readonly quotedUntil: Instant;
      readonly runner: string | undefined;
    } & Omit<Cancellation, 'startedAt'>)
  | { readonly type: 'CancelOrder'; readonly refundId: string | null; readonly refundedAt: Instant | null }
  | { readonly type: 'FailRefund' };

export const orderDecider: Decider<Order, OrderCommand, OrderEvent> = {
  initialState: () => ({ kind: 'none' }),

  decide: (command, order) => {
    const { now } = command;
    switch (command.type) {
      case 'PlaceOrder':
        return order.kind === 'none' ? [placed(command.checkout, now)] : [];
      case 'ChallengePayment': {
        // Finished meanwhile, or asked already: there is nothing to wait for.
        if (order.kind !== 'pending' || order.challenge) return [];
        const { brand, last4, expiresAt } = command;
        const { bookingId } = order.checkout;
        const asked = { bookingId, brand, last4, expiresAt, challengedAt: now, decisionRecorded: true } as const;
        return [{ type: 'PaymentChallenged', data: asked }];
      }
      case 'DecidePayment': {
        if (!isChallenged(order) || order.challenge.decided || now >= order.challenge.expiresAt) return [];
        const { bookingId } = order.checkout;
        return command.decision === 'approve'
          ? [{ type: 'PaymentApproved', data: { bookingId, approvedAt: now } }]
          : [{ type: 'PaymentDeclined', data: { bookingId, declinedAt: now } }];
      }
      case 'PayOrder': {
        if (isCharged(order)) return [];
        // The ledger decides once for all, so this cannot be: better stopped than ticketed against the stream.
        if (order.kind !== 'pending') throw new Error(`captured money for an order that is ${order.kind}`);
        const { ticketCodes, payment } = command;
        const several = ticketCodes.length > 1 && { ticketCodes };
        return [{ type: 'OrderPaid', data: { ticketCode: ticketCodes[0], ...several, payment, paidAt: now } }];
      }
      case 'FailOrder': {
        if (order.kind === 'failed') return [];
        if (isCharged(order)) throw new Error('an order that is paid cannot fail');
        const failure = failureOf(order, command.failure);
        const failed: OrderEvent = { type: 'OrderFailed', data: { failure, failedAt: now } };
        return order.kind === 'none' ? [placed(command.checkout, now), failed] : [failed];
      }
      case 'StartCancellation':
        return startCancellation(command, order);
      case 'CancelOrder': {
        if (!isCancelling(order)) return [];
        const {
          checkout: { bookingId },
          cancellation: { refund },
        } = order;
        const { refundId, refundedAt } = command;
        const data = { bookingId, refund, refundId, refundedAt: refundedAt ?? now, cancelledAt: now };
        return [{ type: 'OrderCancelled', data }];
      }
      case 'FailRefund': {
        if (!isCancelling(order)) return [];
        const { bookingId } = order.checkout;
        return [{ type: 'OrderRefundFailed', data: { bookingId, failedAt: now } }];
      }
    }
  },

  evolve: (order, event) => {
    if (event.type === 'OrderPlaced') {
      const { placedAt, ...checkout } = event.data;
      return { kind: 'pending', checkout, placedAt, challenge: null };
    }
    if (order.kind === 'none') return order;
    const { checkout, placedAt, challenge } = order;
    switch (event.type) {
      case 'PaymentChallenged': {
        const { brand, last4, expiresAt } = event.data;
        return { kind: 'pending', checkout, placedAt, challenge: { brand, last4, expiresAt, decided: null } };
      }
      case 'PaymentApproved':
        return decided(order, 'approve', event.data.approvedAt);
      case 'PaymentDeclined':
        return decided(order, 'deny', event.data.declinedAt);
      case 'OrderPaid':
        return { kind: 'paid', checkout, placedAt, challenge, ...event.data };
      case 'OrderFailed':
        return { kind: 'failed', checkout, placedAt, challenge, ...event.data };
      case 'OrderCancellationStarted': {
        const { bookingId: _, runner: __, ...cancellation } = event.data;
        return order.kind === 'paid' ? { ...order, cancellation: { ...cancellation, failedAt: null } } : order;
      }
      case 'OrderCancelled': {
        if (!isCancelling(order)) return order;
        const { failedAt: _, ...cancellation } = order.cancellation;
        const { refundId, refundedAt, cancelledAt } = event.data;
        return { ...order, kind: 'cancelled', cancellation, refundId, refundedAt, cancelledAt };
      }
      case 'OrderRefundFailed':
        return isCancelling(order)
          ? { ...order, cancellation: { ...order.cancellation, failedAt: event.data.failedAt } }
          : order;
    }
  },
};

/** Why an order cannot be cancelled, as its agent reads it. */
export type NotCancellable = 'not_paid' | 'undated' | 'departed' | 'in_progress' | 'cancelled' | 'refund_failed';

export const notCancellable = (reason: NotCancellable): DomainError =>
  new DomainError('order_not_cancellable', { reason });

/** Why no cancellation of this order can begin; null: one can, if its flight has not left. */
export const standingInTheWay = (order: Order): NotCancellable | null => {
  if (order.kind === 'cancelled') return 'cancelled';
  if (order.kind !== 'paid') return 'not_paid';
  if (!order.cancellation) return null;
  return order.cancellation.failedAt === null ? 'in_progress' : 'refund_failed';
};

/** The first one freezes reason and amount. @throws DomainError `order_not_cancellable`, `cancellation_expired` */
const startCancellation = (
  {
    now,
    type: _,
    quotedFrom = '',
    quotedUntil,
    runner,
    ...cancellation
  }: Stamped<Extract<OrderCommand, { type: 'StartCancellation' }>>,
  order: Order,
): readonly OrderEvent[] => {
  if (isCharged(order) && order.cancellation?.cancellationId === cancellation.cancellationId) return [];
  const reason = standingInTheWay(order);
  if (reason !== null || order.kind !== 'paid') throw notCancellable(reason ?? 'not_paid');
  if (cancellation.reason !== 'flight_cancelled') {
    if (cancellation.departsAt === null || now >= cancellation.departsAt) throw notCancellable('departed');
    if (now < quotedFrom || now >= quotedUntil) throw new DomainError('cancellation_expired');
  }
  const { bookingId } = order.checkout;
  const data = { ...cancellation, bookingId, ...(runner !== undefined && { runner }), startedAt: now };
  return [{ type: 'OrderCancellationStarted', data }];
};

const decided = (order: PlacedOrder, decision: PaymentDecision, at: Instant): PlacedOrder =>
  order.challenge ? { ...order, challenge: { ...order.challenge, decided: { decision, at } } } : order;

/** Why an order failed, as its holder's word has it: it stands whoever finishes the order, for whatever reason of theirs. */
const failureOf = (order: Order, failure: ErrorCode): ErrorCode => {
  const decision = order.kind === 'none' ? undefined : order.challenge?.decided?.decision;
  if (decision === 'deny') return 'payment_challenge_failed';
  return decision === 'approve' && failure === 'payment_challenge_failed' ? 'payment_not_completed' : failure;
};

const placed = (checkout: Checkout, now: Instant): OrderEvent => ({
  type: 'OrderPlaced',
  data: { ...checkout, placedAt: now },
});

/** `order-<id>`: paid or failed, never both. */
export const orders = streamType({
  category: 'order',
  id: (orderId: string) => orderId,
  events: orderEvents,
  decider: orderDecider,
  party: (order) => (order.kind === 'none' ? null : partyOf(order.checkout)),
});
