import Libsql from 'libsql';
import type { Call, Outcome } from './messages.js';
import type { Database, Operations } from './program.embedded.js';

/** The disk said no, and SQLite promises that nothing was written. `BUSY`: a stranger writes to the file. */
const REFUSALS = ['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_BUSY'];

/**
 * Runs calls in one transaction (group commit); a loser fails alone. A disk that is full or read-only refuses the whole
 * batch. Anything else that goes wrong with the transaction is thrown and must end the process: after a failed fsync,
 * memory proves nothing (docs/consistency.md, rule 14).
 */
export const runBatch = (db: Database, operations: Operations, batch: readonly Call[]): readonly Outcome[] => {
  try {
    db.exec('BEGIN IMMEDIATE');
    const outcomes = batch.map((call) => runCall(db, operations, call));
    db.exec('COMMIT');
    return outcomes;
  } catch (error) {
    // The driver's own errors lose their text on the way to another thread.
    if (!isRefusal(error)) throw new Error(`the transaction failed: ${String(error)}`, { cause: error });
    if (db.inTransaction) db.exec('ROLLBACK');
    return batch.map(() => ({ kind: 'refused', message: error.message }));
  }
};

const runCall = (db: Database, operations: Operations, { operation, args }: Call): Outcome => {
  db.exec('SAVEPOINT call');
  try {
    const answer = operations[operation]?.(...(args as never[]));
    db.exec('RELEASE call');
    return { kind: 'done', answer };
  } catch (error) {
    // SQLite gives up the whole transaction after some errors, so there is nothing left to undo alone.
    if (isRefusal(error) || !db.inTransaction) throw error;
    db.exec('ROLLBACK TO call; RELEASE call');
    return { kind: 'failed', message: String(error), code: codeOf(error) };
  }
};

const codeOf = (error: unknown): string | undefined => (error instanceof Libsql.SqliteError ? error.code : undefined);

const isRefusal = (error: unknown): error is Error =>
  REFUSALS.some((code) => codeOf(error)?.split('_', 2).join('_') === code);
