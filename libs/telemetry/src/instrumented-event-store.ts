import {
  type Appended,
  AppendOutcomeUnknown,
  type Checkpoint,
  type Delivery,
  EventStore,
  type EventToAppend,
  RevisionConflict,
  type StoredEvent,
  StoreUnavailable,
  type SubscriptionOptions,
} from '#event-store';
import { categoryOf } from '#events';
import { type Span, SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { type Ending, measure } from './instrumentation.js';

/** Earlier attempts of an append to one stream. */
interface Attempts {
  readonly conflicts: number;
  readonly retries: number;
}

const NONE: Attempts = { conflicts: 0, retries: 0 };

/** An event log whose appends are measured. Of a stream only its category is recorded, of events only their number. */
export class InstrumentedEventStore extends EventStore {
  /** By active span, the streams whose last append has to be repeated. */
  private readonly attempts = new WeakMap<Span, Map<string, Attempts>>();

  constructor(
    private readonly store: EventStore,
    private readonly tracing: Tracing | null,
    private readonly metrics: Metrics | null,
  ) {
    super();
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    const category = categoryOf(stream);
    const before = this.activeAttempts();
    const { conflicts, retries } = before?.get(stream) ?? NONE;
    const attributes = {
      'alcada.stream.category': category,
      'alcada.append.events': events.length,
      'alcada.append.conflicts': conflicts,
      'alcada.append.retries': retries,
    };
    return measure(
      this.tracing,
      {
        span: { name: `append ${category}`, kind: SpanKind.CLIENT, attributes },
        outcomeOf,
        onEnd: (outcome, seconds) => {
          this.metrics?.appends.observe({ category, outcome }, seconds);
          const isRepeated = outcome === 'conflict' || outcome === 'unknown';
          if (isRepeated) this.metrics?.retries.inc({ category, reason: outcome });
          if (!isRepeated) before?.delete(stream);
          else before?.set(stream, { conflicts: conflicts + Number(outcome === 'conflict'), retries: retries + 1 });
        },
      },
      () => this.store.append(stream, expectedRevision, events),
    );
  }

  readStream(stream: string, fromRevision?: number): AsyncIterable<StoredEvent> {
    return this.store.readStream(stream, fromRevision);
  }

  readAll(after: Checkpoint | null): AsyncIterable<StoredEvent> {
    return this.store.readAll(after);
  }

  head(): Promise<StoredEvent | null> {
    return this.store.head();
  }

  subscribe(options: SubscriptionOptions): AsyncIterable<Delivery> {
    return this.store.subscribe(options);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private activeAttempts(): Map<string, Attempts> | undefined {
    const span = this.tracing?.current;
    if (!span) return undefined;
    const known = this.attempts.get(span) ?? new Map<string, Attempts>();
    this.attempts.set(span, known);
    return known;
  }
}

const outcomeOf = (ending: Ending<Appended>): string => {
  if (!('error' in ending)) return 'appended';
  const { error } = ending;
  if (error instanceof RevisionConflict) return 'conflict';
  if (error instanceof AppendOutcomeUnknown) return 'unknown';
  return error instanceof StoreUnavailable ? 'unavailable' : 'failed';
};
