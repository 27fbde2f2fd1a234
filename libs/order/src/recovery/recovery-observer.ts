import type { Cause } from '#kernel';

/** Observes the recovery worker. `round` and `piece` return and throw what the work returns and throws. */
export abstract class RecoveryObserver {
  /** A round in which the lease was held. */
  abstract round(work: () => Promise<void>): Promise<void>;
  /** A piece of work from the list of this name; `work` answers whether there was anything to do. */
  abstract piece(list: string, cause: Cause, work: () => Promise<boolean>): Promise<boolean>;
  /** A piece of work that failed and will be tried again. */
  abstract onError(id: string, error: unknown): void;
}

/** What telemetry observes. */
export type RecoveryInstrumentation = Pick<RecoveryObserver, 'round' | 'piece'>;

export const UNINSTRUMENTED: RecoveryInstrumentation = {
  round: (work) => work(),
  piece: (_list, _cause, work) => work(),
};
