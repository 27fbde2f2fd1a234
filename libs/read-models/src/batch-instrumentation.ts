import type { StoredEvent } from '#event-store';

/** What may watch the batches of projections: it runs `fold`, and answers and throws what that does. */
export type BatchInstrumentation = (
  projection: string,
  events: readonly StoredEvent[],
  fold: () => Promise<boolean>,
) => Promise<boolean>;

/** Nobody watches. */
export const UNINSTRUMENTED: BatchInstrumentation = (_projection, _events, fold) => fold();
