import { type Span, SpanKind } from '@opentelemetry/api';
import {
  type Appended,
  AppendOutcomeUnknown,
  type EventStore,
  type EventToAppend,
  RevisionConflict,
  StoreUnavailable,
} from '#event-store';
import { categoryOf } from '#events';
import type { Instant } from '#kernel';
import {
  type Card,
  type ChargeOutcome,
  type ChargeRequest,
  type FinalOutcome,
  PaymentProcessor,
  type RefundOutcome,
  type RefundRequest,
} from '#checkout';
import { type Ending, type Instruments, measure } from './instrumentation.js';

/** Earlier attempts of an append to one stream. */
interface Attempts {
  readonly conflicts: number;
  readonly retries: number;
}

const NONE: Attempts = { conflicts: 0, retries: 0 };

/** An event log whose appends are measured; all else is its own. Of a stream only its category is recorded. */
export const instrumentedEventStore = (store: EventStore, instruments: Instruments): EventStore => {
  const append = measuredAppend(store, instruments);
  return new Proxy(store, {
    get: (_, name) => {
      if (name === 'append') return append;
      const member: unknown = Reflect.get(store, name);
      const own: unknown = typeof member === 'function' ? member.bind(store) : member;
      return own;
    },
  });
};

const measuredAppend = (store: EventStore, instruments: Instruments): EventStore['append'] => {
  /** By active span, the streams whose last append has to be repeated. */
  const attempts = new WeakMap<Span, Map<string, Attempts>>();
  const activeAttempts = (): Map<string, Attempts> | undefined => {
    const span = instruments.tracing?.current;
    if (!span) return undefined;
    const known = attempts.get(span) ?? new Map<string, Attempts>();
    attempts.set(span, known);
    return known;
  };
  return (stream: string, expectedRevision: number, events: readonly EventToAppend[]) => {
    const category = categoryOf(stream);
    const before = activeAttempts();
    const { conflicts, retries } = before?.get(stream) ?? NONE;
    const attributes = {
      'alcada.stream.category': category,
      'alcada.append.events': events.length,
      'alcada.append.conflicts': conflicts,
      'alcada.append.retries': retries,
    };
    return measure(
      instruments,
      {
        span: { name: `append ${category}`, kind: SpanKind.CLIENT, attributes },
        outcomeOf: appendOutcome,
        onEnd: (outcome, seconds) => {
          instruments.metrics?.appends.observe({ category, outcome }, seconds);
          const isRepeated = outcome === 'conflict' || outcome === 'unknown';
          if (isRepeated) instruments.metrics?.retries.inc({ category, reason: outcome });
          if (!isRepeated) before?.delete(stream);
          else before?.set(stream, { conflicts: conflicts + Number(outcome === 'conflict'), retries: retries + 1 });
        },
      },
      () => store.append(stream, expectedRevision, events),
    );
  };
};

const appendOutcome = (ending: Ending<Appended>): string => {
  if (!('error' in ending)) return 'appended';
  const { error } = ending;
  if (error instanceof RevisionConflict) return 'conflict';
  if (error instanceof AppendOutcomeUnknown) return 'unknown';
  return error instanceof StoreUnavailable ? 'unavailable' : 'failed';
};

/** A payment processor whose calls are measured. Of a charge only its state is recorded: no order, amount or card. */
export class InstrumentedProcessor extends PaymentProcessor {
  constructor(
    private readonly processor: PaymentProcessor,
    private readonly instruments: Instruments,
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

  refund(request: RefundRequest): Promise<RefundOutcome> {
    return this.measured('refund', () => this.processor.refund(request));
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

  private measured<Outcome extends ChargeOutcome | RefundOutcome>(
    operation: string,
    call: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const span = { name: `payment ${operation}`, kind: SpanKind.CLIENT };
    const onEnd = (outcome: string, seconds: number) =>
      this.instruments.metrics?.payments.observe({ operation, outcome }, seconds);
    return measure(this.instruments, { span, outcomeOf: chargeOutcome, onEnd }, call);
  }
}

const chargeOutcome = (ending: Ending<ChargeOutcome | RefundOutcome>): string =>
  'error' in ending ? 'failed' : ending.answer.status;
