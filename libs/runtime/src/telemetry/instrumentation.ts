import type { Clock } from '#kernel';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import type { SpanStart, Tracing } from './tracing.js';

/** What work is measured with. Null: no traces, or no metrics. */
export interface Instruments {
  readonly tracing: Tracing | null;
  readonly metrics: Metrics | null;
  readonly clock: Clock;
}

export type Ending<Answer> = { readonly answer: Answer } | { readonly error: unknown };

export interface Measurement<Answer> {
  readonly span: SpanStart;
  /** The outcome, from a closed list. */
  readonly outcomeOf: (ending: Ending<Answer>) => string;
  /** Called when it has ended, with its duration, before the span ends. */
  readonly onEnd?: (outcome: string, seconds: number, span: Span | undefined) => void;
}

/** Outcomes that are faults, ours or of a store. A refusal is an answer. */
const FAULTS: ReadonlySet<string> = new Set([
  'failed',
  'unknown',
  'unavailable',
  'internal_error',
  'service_unavailable',
]);

/** Runs `work` in a span of its own and measures it. Of an error only the outcome is recorded: messages may hold secrets. */
export const measure = async <Answer>(
  { tracing, clock }: Instruments,
  { span: start, outcomeOf, onEnd }: Measurement<Answer>,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const began = clock.monotonic();
  const span = tracing?.start(start);
  const end = (ending: Ending<Answer>): void => {
    const outcome = outcomeOf(ending);
    onEnd?.(outcome, (clock.monotonic() - began) / 1_000, span);
    if (FAULTS.has(outcome)) span?.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR });
    span?.setAttribute('alcada.outcome', outcome).end();
  };
  try {
    const answer = await (tracing && span ? tracing.within(span, work) : work());
    end({ answer });
    return answer;
  } catch (error) {
    end({ error });
    throw error;
  }
};
