import type { Checkout, OrderEvent } from '#events';
import type { Context, ErrorCode, Money } from '#kernel';

/** A line of the log of operators about an order: ids, code and amount (cents), nothing about people. */
interface OrderLine {
  /** Id of the request, as its own line has it; undefined: recovery or a command ended the order. */
  readonly reqId: string | undefined;
  readonly correlation: string;
  /** undefined: refused before there was an order. */
  readonly order: string | undefined;
  readonly booking: string;
  /** undefined: none was named. */
  readonly mandate: string | undefined;
  readonly client: string;
  /** What was charged or refused; of a cancellation, what was given back. */
  readonly amount: number;
  readonly currency: string;
  /** Why it was refused. */
  readonly reason?: ErrorCode;
}

type Subject = Pick<Checkout, 'bookingId' | 'clientId'> & {
  readonly [Id in 'orderId' | 'mandateId']?: string | undefined;
};

/** Writes one line for each order that is paid, refused or cancelled, no matter how it ends. */
export class OrderOutcomes {
  constructor(private readonly log: { readonly info: (line: OrderLine, message: string) => void }) {}

  /** Logs what a command wrote on an order; for one that had ended before there are no events. */
  written(checkout: Checkout, events: readonly OrderEvent[], context: Context): void {
    for (const event of events) {
      if (event.type === 'OrderPaid') this.log.info(lineOf(checkout, checkout.total, context), 'order paid');
      if (event.type === 'OrderFailed') this.refused(checkout, checkout.total, event.data.failure, context);
      if (event.type === 'OrderCancelled')
        this.log.info(lineOf(checkout, event.data.refund, context), 'order cancelled');
    }
  }

  refused(subject: Subject, amount: Money, reason: ErrorCode, context: Context): void {
    this.log.info({ ...lineOf(subject, amount, context), reason }, 'order refused');
  }
}

const lineOf = (
  { orderId, bookingId, mandateId, clientId }: Subject,
  { amount, currency }: Money,
  { requestId, correlationId }: Context,
): OrderLine => ({
  reqId: requestId,
  correlation: correlationId,
  order: orderId,
  booking: bookingId,
  mandate: mandateId,
  client: clientId,
  amount,
  currency,
});
