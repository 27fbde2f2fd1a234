import type { ErrorCode } from './error-codes.js';

/** What may go with a refusal beside its details. */
export interface DomainErrorOptions extends ErrorOptions {
  /** Members of the answer beside `error` and `message`, such as the `order` that is in the way. */
  readonly members?: object;
  /** Seconds after which another try makes sense (`Retry-After`). */
  readonly retryAfter?: number;
}

/**
 * "No", with its stable code. The kernel knows codes; their status and text are the edge's business (`libs/http`).
 * `details` and `members` are public and go into the answer; `cause` stays in the log.
 */
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
