import { type Checkout, type OrderEvent, orderEvents, type Payment, streamType, type TicketCodes } from '#events';
import { type Decider, type ErrorCode, type Instant, partyOf } from '#kernel';

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
export type PaidOrder = Placed & {
  readonly kind: 'paid';
  readonly ticketCode: string;
  readonly ticketCodes?: readonly string[] | undefined;
  readonly payment: Payment;
  readonly paidAt: Instant;
};
export type FailedOrder = Placed & {
  readonly kind: 'failed';
  readonly failure: ErrorCode;
  readonly failedAt: Instant;
};

/** The state of `order-<id>`: paid or failed ends it, never both (docs/consistency.md, rule 5). */
export type PlacedOrder = PendingOrder | PaidOrder | FailedOrder;
export type Order = { readonly kind: 'none' } | PlacedOrder;

/** Its tickets: one a passenger, but in an order of before they had each their own, where one is for all. */
export const ticketCodesOf = ({ ticketCode, ticketCodes = [ticketCode] }: PaidOrder): readonly string[] => ticketCodes;

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
  | { readonly type: 'FailOrder'; readonly checkout: Checkout; readonly failure: ErrorCode };

/** The rules of `order-<id>`. */
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
        if (order.kind === 'paid') return [];
        // The ledger decides once for all, so this cannot be: better stopped than ticketed against the stream.
        if (order.kind !== 'pending') throw new Error(`captured money for an order that is ${order.kind}`);
        const { ticketCodes, payment } = command;
        const several = ticketCodes.length > 1 && { ticketCodes };
        return [{ type: 'OrderPaid', data: { ticketCode: ticketCodes[0], ...several, payment, paidAt: now } }];
      }
      case 'FailOrder': {
        if (order.kind === 'failed') return [];
        if (order.kind === 'paid') throw new Error('an order that is paid cannot fail');
        const failure = failureOf(order, command.failure);
        const failed: OrderEvent = { type: 'OrderFailed', data: { failure, failedAt: now } };
        return order.kind === 'none' ? [placed(command.checkout, now), failed] : [failed];
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
    }
  },
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
