import type { RecoveryInstrumentation } from '#order';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { type Ending, measure } from './instrumentation.js';

/** The checkout recovery: a span for each round that found work, and one for each piece of it, in a trace of its own. */
export const instrumentedRecovery = (tracing: Tracing | null, metrics: Metrics | null): RecoveryInstrumentation => {
  let taken = 0;
  return {
    round: async (work) => {
      taken = 0;
      const span = tracing?.start({ name: 'settler pass' });
      try {
        await (tracing && span ? tracing.within(span, work) : work());
      } finally {
        metrics?.rounds.setToCurrentTime();
        // A span that never ends is never sent: most rounds find nothing.
        if (taken > 0) span?.setAttribute('alcada.settler.taken_up', taken).end();
      }
    },
    piece: (list, cause, work) => {
      taken += 1;
      const round = tracing?.current?.spanContext();
      const links = round ? [round] : [];
      const onEnd = (outcome: string) => metrics?.settler.inc({ list, outcome });
      return measure(tracing, { span: { name: `settle ${list}`, root: cause, links }, outcomeOf, onEnd }, work);
    },
  };
};

const outcomeOf = (ending: Ending<boolean>): string => {
  if ('error' in ending) return 'failed';
  return ending.answer ? 'settled' : 'nothing_to_do';
};
