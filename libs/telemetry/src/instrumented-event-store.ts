import {
  type Appended,
  AppendOutcomeUnknown,
  EventStore,
  type EventToAppend,
  RevisionConflict,
  StoreUnavailable,
} from '#event-store';
import type { Checkpoint, Delivery, StoredEvent, SubscriptionOptions } from '#event-store';
import { categoryOf } from '#events';
import { type Span, SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { type Ending, watch } from './instrumentation.js';

/** Tries of an append to one stream that came to nothing. */
interface Tries {
  readonly conflicts: number;
  readonly retries: number;
}

const NONE: Tries = { conflicts: 0, retries: 0 };

/** An event log whose appends are watched. Of a stream only its category is told, of events only how many. */
export class InstrumentedEventStore extends EventStore {
  /** By what is under way, the streams whose last append came to nothing. */
  private readonly tries = new WeakMap<Span, Map<string, Tries>>();

  constructor(
    private readonly store: EventStore,
    private readonly tracing: Tracing | null,
    private readonly metrics: Metrics | null,
  ) {
    super();
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    const category = categoryOf(stream);
    const before = this.triesAround();
    const { conflicts, retries } = before?.get(stream) ?? NONE;
    const attributes = {
      'alcada.stream.category': category,
      'alcada.append.events': events.length,
      'alcada.append.conflicts': conflicts,
      'alcada.append.retries': retries,
    };
    return watch(
      this.tracing,
      {
        span: { name: `append ${category}`, kind: SpanKind.CLIENT, attributes },
        outcomeOf,
        ended: (outcome, seconds) => {
          this.metrics?.appends.observe({ category, outcome }, seconds);
          const isTriedAgain = outcome === 'conflict' || outcome === 'unknown';
          if (isTriedAgain) this.metrics?.retries.inc({ category, reason: outcome });
          if (!isTriedAgain) before?.delete(stream);
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

  private triesAround(): Map<string, Tries> | undefined {
    const around = this.tracing?.current;
    if (!around) return undefined;
    const known = this.tries.get(around) ?? new Map<string, Tries>();
    this.tries.set(around, known);
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
