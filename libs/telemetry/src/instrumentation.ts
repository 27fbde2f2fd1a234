import { asDomainError } from '#http';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { SpanStart, Tracing } from './tracing.js';

/** What a piece of work answered, or what it failed with. */
export type Ending<Answer> = { readonly answer: Answer } | { readonly error: unknown };

/** How a piece of work is watched. */
export interface Watched<Answer> {
  readonly span: SpanStart;
  /** Its end in one of a few words. */
  readonly outcomeOf: (ending: Ending<Answer>) => string;
  /** Told of the end: its word, how long it took, and the span, which ends then. */
  readonly ended?: (outcome: string, seconds: number, span: Span | undefined) => void;
}

/** Outcomes that are faults: of ours, or of what we stand on. A refusal is an answer. */
const FAULTS: ReadonlySet<string> = new Set([
  'failed',
  'unknown',
  'unavailable',
  'internal_error',
  'service_unavailable',
]);

/**
 * Runs `work` watched. It answers and throws what `work` does. Nothing of an error goes into a span but its word: messages
 * may hold what nobody is to read.
 */
export const watch = async <Answer>(
  tracing: Tracing | null,
  { span: start, outcomeOf, ended }: Watched<Answer>,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const began = performance.now();
  const span = tracing?.begin(start);
  const end = (ending: Ending<Answer>): void => {
    const outcome = outcomeOf(ending);
    ended?.(outcome, (performance.now() - began) / 1_000, span);
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

/** The end of what answers or refuses: `ok`, or a code of the catalogue. */
export const codeOf = (ending: Ending<unknown>): string =>
  'error' in ending ? asDomainError(ending.error).code : 'ok';
