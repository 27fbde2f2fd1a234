import type { StoredEvent } from '#event-store';
import type { BatchInstrumentation } from '#read-models';
import { type SpanContext, SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { type Ending, measure } from './instrumentation.js';

/**
 * The batches of projections. A batch has a link to each span that wrote its events (the SDK keeps 128 links and counts the
 * rest). If all events are of one trace, the batch belongs to it.
 */
export const instrumentedBatches =
  (tracing: Tracing | null, metrics: Metrics | null): BatchInstrumentation =>
  (projection, events, fold) => {
    const links = tracing ? writersOf(tracing, events) : [];
    const attributes = { 'alcada.projection': projection, 'alcada.projection.events': events.length };
    const isOneTrace = new Set(links.map(({ traceId }) => traceId)).size === 1;
    const parent = isOneTrace ? links[0] : undefined;
    return measure(
      tracing,
      {
        span: { name: `project ${projection}`, kind: SpanKind.CONSUMER, attributes, links, parent },
        outcomeOf,
        onEnd: (outcome, seconds) => {
          metrics?.batches.observe({ projection, outcome }, seconds);
          if (outcome === 'folded') metrics?.folded.inc({ projection }, events.length);
        },
      },
      fold,
    );
  };

/** The spans that wrote the events of a batch, each once. */
const writersOf = (tracing: Tracing, events: readonly StoredEvent[]): readonly SpanContext[] => {
  const writers = new Map<string, SpanContext>();
  for (const { metadata } of events) {
    const { $correlationId: correlationId, $causationId: causationId } = metadata;
    const writer = tracing.spanOf({ correlationId, causationId });
    if (writer) writers.set(writer.spanId, writer);
  }
  return [...writers.values()];
};

const outcomeOf = (ending: Ending<boolean>): string => {
  if ('error' in ending) return 'failed';
  return ending.answer ? 'folded' : 'overtaken';
};
