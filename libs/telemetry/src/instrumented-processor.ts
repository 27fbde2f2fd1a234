import type { Instant } from '#kernel';
import { type Card, type ChargeOutcome, type ChargeRequest, type FinalOutcome, PaymentProcessor } from '#payment';
import { SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { type Ending, measure } from './instrumentation.js';

/** A payment processor whose calls are measured. Of a charge only its state is recorded: no order, amount or card. */
export class InstrumentedProcessor extends PaymentProcessor {
  constructor(
    private readonly processor: PaymentProcessor,
    private readonly tracing: Tracing | null,
    private readonly metrics: Metrics | null,
  ) {
    super();
  }

  charge(request: ChargeRequest): Promise<ChargeOutcome> {
    return this.measured('charge', () => this.processor.charge(request));
  }

  capture(orderId: string, notAfter: Instant): Promise<ChargeOutcome> {
    return this.measured('capture', () => this.processor.capture(orderId, notAfter));
  }

  close(orderId: string): Promise<FinalOutcome> {
    return this.measured('close', () => this.processor.close(orderId));
  }

  decide(orderId: string, decision: 'approve' | 'deny'): Promise<boolean> {
    return this.processor.decide(orderId, decision);
  }

  isApproved(orderId: string): Promise<boolean> {
    return this.processor.isApproved(orderId);
  }

  wasCard(orderId: string, card: Card): Promise<boolean> {
    return this.processor.wasCard(orderId, card);
  }

  private measured<Outcome extends ChargeOutcome>(operation: string, call: () => Promise<Outcome>): Promise<Outcome> {
    const span = { name: `payment ${operation}`, kind: SpanKind.CLIENT };
    const onEnd = (outcome: string, seconds: number) => this.metrics?.payments.observe({ operation, outcome }, seconds);
    return measure(this.tracing, { span, outcomeOf, onEnd }, call);
  }
}

const outcomeOf = (ending: Ending<ChargeOutcome>): string => ('error' in ending ? 'failed' : ending.answer.status);
