import type { Cause } from '#kernel';

/** What may watch the settler at work; what is answered and thrown is what the work answers and throws. */
export interface RecoveryInstrumentation {
  /** A round in which the lease was held. */
  readonly round: (work: () => Promise<void>) => Promise<void>;
  /** A piece of work taken up from the list of this name; `work` answers whether there was anything to do. */
  readonly piece: (list: string, cause: Cause, work: () => Promise<boolean>) => Promise<boolean>;
}

/** Nobody watches. */
export const UNINSTRUMENTED: RecoveryInstrumentation = {
  round: (work) => work(),
  piece: (_list, _cause, work) => work(),
};
