import type { ErrorCode } from './error-codes.js';

export interface DomainErrorOptions extends ErrorOptions {
  /** Members of the answer beside `error` and `message`, such as the `order` that is in the way. */
  readonly members?: object;
  /** Seconds after which another try makes sense (`Retry-After`). */
  readonly retryAfter?: number;
}

/** A definite "no" with a stable code. `details` and `members` are public; `cause` stays in the log. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly members: object | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly details?: object,
    { members, retryAfter, ...options }: DomainErrorOptions = {},
  ) {
    super(code, options);
    this.members = members;
    this.retryAfter = retryAfter;
  }
}

/** A definite "no" to a step that comes too late to be undone (docs/consistency.md, rule 6). A new id may succeed. */
export class TooLate extends DomainError {
  constructor() {
    super('service_unavailable');
  }
}

/** "Not now": each kind says whether the work may have been done. Callers see `service_unavailable`. */
export abstract class Unavailable extends Error {
  /** Whether it is no failure, and nobody has to look into it. */
  readonly isForeseen: boolean = false;
  /** Seconds after which another try makes sense; undefined: nothing more is known than that it may. */
  readonly retryAfter: number | undefined;
}
