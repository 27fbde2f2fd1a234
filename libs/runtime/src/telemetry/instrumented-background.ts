import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { RecoveryInstrumentation } from '#checkout';
import type { OnBatch } from '#read-models';
import { type Ending, type Instruments, measure } from './instrumentation.js';

/** Records batches of projections, linked to the spans of their events (at most 128), or in their trace if it is one. */
export const instrumentedBatches =
  ({ tracing, metrics, clock }: Instruments): OnBatch =>
  ({ projection, events, causes, outcome, seconds }) => {
    metrics?.batches.observe({ projection, outcome }, seconds);
    if (outcome === 'folded') metrics?.folded.inc({ projection }, events);
    if (!tracing) return;
    const links = causes.flatMap((cause) => tracing.spanOf(cause) ?? []);
    const attributes = {
      'alcada.projection': projection,
      'alcada.projection.events': events,
      'alcada.outcome': outcome,
    };
    const isOneTrace = new Set(links.map(({ traceId }) => traceId)).size === 1;
    const parent = isOneTrace ? links[0] : undefined;
    const startTime = clock.monotonic() - seconds * 1_000;
    const name = `project ${projection}`;
    const span = tracing.start({ name, kind: SpanKind.CONSUMER, attributes, links, parent, startTime });
    if (outcome === 'failed') span.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
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
