import { type SpanContext, SpanKind } from '@opentelemetry/api';
import type { StoredEvent } from '#event-store';
import type { RecoveryInstrumentation } from '#order';
import type { BatchInstrumentation } from '#read-models';
import { type Ending, type Instruments, measure } from './instrumentation.js';
import type { Tracing } from './tracing.js';

/**
 * Measures the batches of projections. A batch has a link to each span that wrote its events (the SDK keeps 128 links and counts the
 * rest). If all events are of one trace, the batch belongs to it.
 */
export const instrumentedBatches =
  (instruments: Instruments): BatchInstrumentation =>
  (projection, events, fold) => {
    const { tracing, metrics } = instruments;
    const links = tracing ? writersOf(tracing, events) : [];
    const attributes = { 'alcada.projection': projection, 'alcada.projection.events': events.length };
    const isOneTrace = new Set(links.map(({ traceId }) => traceId)).size === 1;
    const parent = isOneTrace ? links[0] : undefined;
    return measure(
      instruments,
      {
        span: { name: `project ${projection}`, kind: SpanKind.CONSUMER, attributes, links, parent },
        outcomeOf: batchOutcome,
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

const batchOutcome = (ending: Ending<boolean>): string => {
  if ('error' in ending) return 'failed';
  return ending.answer ? 'folded' : 'overtaken';
};

/** Measures the checkout recovery: a span for each round that found work, and one for each piece of it, in its own trace. */
export const instrumentedRecovery = (instruments: Instruments): RecoveryInstrumentation => {
  const { tracing, metrics } = instruments;
  let taken = 0;
  return {
    round: async (work) => {
      taken = 0;
      const span = tracing?.start({ name: 'recovery pass' });
      try {
        await (tracing && span ? tracing.within(span, work) : work());
      } finally {
        metrics?.rounds.setToCurrentTime();
        // A span that never ends is never sent: most rounds find nothing.
        if (taken > 0) span?.setAttribute('alcada.recovery.taken_up', taken).end();
      }
    },
    piece: (list, cause, work) => {
      taken += 1;
      const round = tracing?.current?.spanContext();
      const links = round ? [round] : [];
      const onEnd = (outcome: string) => metrics?.recovery.inc({ list, outcome });
      return measure(
        instruments,
        { span: { name: `finish ${list}`, root: cause, links }, outcomeOf: pieceOutcome, onEnd },
        work,
      );
    },
  };
};

const pieceOutcome = (ending: Ending<boolean>): string => {
  if ('error' in ending) return 'failed';
  return ending.answer ? 'finished' : 'nothing_to_do';
};
