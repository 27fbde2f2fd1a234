import type { StoredEvent } from '#event-store';
import type { BatchInstrumentation } from '#read-models';
import { type SpanContext, SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { type Ending, watch } from './instrumentation.js';

/**
 * The batches of projections. A batch is linked to everything whose events it folds (the SDK keeps 128 links and counts the
 * rest); one that folds the events of a single trace belongs into that trace.
 */
export const instrumentedBatches =
  (tracing: Tracing | null, metrics: Metrics | null): BatchInstrumentation =>
  (projection, events, fold) => {
    const links = tracing ? placesOf(tracing, events) : [];
    const attributes = { 'alcada.projection': projection, 'alcada.projection.events': events.length };
    const isOneTrace = new Set(links.map(({ traceId }) => traceId)).size === 1;
    const below = isOneTrace ? links[0] : undefined;
    return watch(
      tracing,
      {
        span: { name: `project ${projection}`, kind: SpanKind.CONSUMER, attributes, links, below },
        outcomeOf,
        ended: (outcome, seconds) => {
          metrics?.batches.observe({ projection, outcome }, seconds);
          if (outcome === 'folded') metrics?.folded.inc({ projection }, events.length);
        },
      },
      fold,
    );
  };

/** Where the events of a batch were written, each place once. */
const placesOf = (tracing: Tracing, events: readonly StoredEvent[]): readonly SpanContext[] => {
  const places = new Map<string, SpanContext>();
  for (const { metadata } of events) {
    const { $correlationId: correlationId, $causationId: causationId } = metadata;
    const place = tracing.placeOf({ correlationId, causationId });
    if (place) places.set(place.spanId, place);
  }
  return [...places.values()];
};

const outcomeOf = (ending: Ending<boolean>): string => {
  if ('error' in ending) return 'failed';
  return ending.answer ? 'folded' : 'overtaken';
};
