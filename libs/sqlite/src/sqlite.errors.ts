import type { Outcome } from './program.embedded.js';

/** The file cannot be used. The message says which file and why, for the operator. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

/** What is in the file is not what was written to it. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** The disk is full or read-only, or the file is closed: nothing was written. */
export class StorageRefused extends Error {
  override readonly name = 'StorageRefused';
}

/** The writer ended before it answered: the operation may or may not have been done. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** An operation threw, and its writes were undone. `code` is that of SQLite's error, if it was one (`SQLITE_CONSTRAINT_UNIQUE`). */
export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';

  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/** Why an operation has no answer. */
export const failureOf = (outcome: Exclude<Outcome, { kind: 'done' }> | undefined): Error =>
  outcome?.kind === 'failed'
    ? new OperationFailed(outcome.message, outcome.code)
    : new StorageRefused(outcome?.message);
