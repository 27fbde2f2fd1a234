import {
  type ChargeOutcome,
  type ChargeRequest,
  type FinalOutcome,
  PaymentProcessor,
  type RefundOutcome,
  type RefundRequest,
} from '#checkout';
import type { Intercept } from './intercept.js';

/** A payment processor at the other end of a line. Calls: `charge`, `capture`, `close`, `refund`, `decide`; the rest is not in the way. */
export class InterceptedProcessor extends PaymentProcessor {
  constructor(
    private readonly processor: PaymentProcessor,
    private readonly intercept: Intercept,
  ) {
    super();
  }

  charge(request: ChargeRequest): Promise<ChargeOutcome> {
    return this.intercept('charge', () => this.processor.charge(request));
  }

  capture(...args: Parameters<PaymentProcessor['capture']>): Promise<ChargeOutcome> {
    return this.intercept('capture', () => this.processor.capture(...args));
  }

  close(orderId: string): Promise<FinalOutcome> {
    return this.intercept('close', () => this.processor.close(orderId));
  }

  refund(request: RefundRequest): Promise<RefundOutcome> {
    return this.intercept('refund', () => this.processor.refund(request));
  }

  decide(...args: Parameters<PaymentProcessor['decide']>): Promise<boolean> {
    return this.intercept('decide', () => this.processor.decide(...args));
  }

  isApproved(orderId: string): Promise<boolean> {
    return this.processor.isApproved(orderId);
  }

  wasCard(...args: Parameters<PaymentProcessor['wasCard']>): Promise<boolean> {
    return this.processor.wasCard(...args);
  }
}
