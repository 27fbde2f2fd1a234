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
import { overriding } from '#kernel';
import type { ChargeOutcome, PaymentProcessor, RefundOutcome } from '#checkout';
import { type Ending, type Instruments, measure } from './instrumentation.js';

/** Earlier attempts of an append to one stream. */
interface Attempts {
  readonly conflicts: number;
  readonly retries: number;
}

const NONE: Attempts = { conflicts: 0, retries: 0 };

/** An event log with measured appends; all else is its own. Of a stream only its category is recorded. */
export const instrumentedEventStore = (store: EventStore, instruments: Instruments): EventStore =>
  overriding(store, { append: measuredAppend(store, instruments) });

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

/** A payment processor with measured calls. Of a charge only its state is recorded: no order, amount or card. */
export const instrumentedProcessor = (processor: PaymentProcessor, instruments: Instruments): PaymentProcessor => {
  const measured = <Outcome extends ChargeOutcome | RefundOutcome>(
    operation: string,
    call: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const span = { name: `payment ${operation}`, kind: SpanKind.CLIENT };
    const onEnd = (outcome: string, seconds: number) =>
      instruments.metrics?.payments.observe({ operation, outcome }, seconds);
    return measure(instruments, { span, outcomeOf: chargeOutcome, onEnd }, call);
  };
  return overriding(processor, {
    charge: (request) => measured('charge', () => processor.charge(request)),
    capture: (...args) => measured('capture', () => processor.capture(...args)),
    close: (orderId) => measured('close', () => processor.close(orderId)),
    refund: (request) => measured('refund', () => processor.refund(request)),
  });
};

const chargeOutcome = (ending: Ending<ChargeOutcome | RefundOutcome>): string =>
  'error' in ending ? 'failed' : ending.answer.status;
