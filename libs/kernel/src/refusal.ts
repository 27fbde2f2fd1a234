import type { ErrorCode } from './error-codes.js';

/**
 * "No", with its stable code. The kernel knows codes; their status and text are the edge's business (`libs/http`).
 * `details` is public and goes into the answer; `cause` stays in the log.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: ErrorCode,
    readonly details?: object,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}
