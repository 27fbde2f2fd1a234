import type { Intercept } from '../support/intercept.js';

/** A moment in the work of a request: before a write is sent, or after it was done and before that is known. */
export interface Step {
  readonly where: 'before' | 'after';
  readonly call: string;
}

const WRITE = /^(append|insert|replace|delete) /;
/** Written by the timers of the recovery worker and of what follows the log, not by a request. */
export const NOT_OF_A_REQUEST =
  /^\w+ (?:leases|notices|notices-reached|webhooks|webhook-deliveries|AgentTrafficObserved)$/;

export class Recorder {
  private readonly calls = new Set<string>();

  readonly intercept: Intercept = (call, work) => {
    if (WRITE.test(call) && !NOT_OF_A_REQUEST.test(call)) this.calls.add(call);
    return work();
  };

  /** Before and after every write that was heard. */
  steps(): readonly Step[] {
    return [...this.calls].flatMap((call) => (['before', 'after'] as const).map((where) => ({ where, call })));
  }
}
