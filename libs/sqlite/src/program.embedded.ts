import type Libsql from 'libsql';

/** A connection to a SQLite file. Numbers are bound as REAL: compare them with INTEGER columns, which convert them. */
export type Database = Libsql.Database;

/** Operations by name, run in the worker thread. Arguments and answers cross threads by structured clone. */
export type Operations = Readonly<Record<string, (...args: never[]) => unknown>>;

/**
 * What is done with one kind of file: a module exports it as `program`, and the worker thread loads it by URL.
 *
 * An operation runs synchronously in a transaction that others share and under a savepoint of its own: what it throws
 * undoes its writes alone and reaches the caller as `OperationFailed`. An outcome that the caller tells apart is better
 * answered than thrown.
 */
export interface Program<Writes extends Operations> {
  /** What the file is, for messages: `event log`. */
  readonly name: string;
  /** SQLite's `application_id`: a file with another one is refused. A positive 32-bit integer. */
  readonly applicationId: number;
  /** Statements that lift the schema from version n to n + 1; version 0 is the empty file. Only ever added to. */
  readonly migrations: readonly string[];
  /** Prepares the statements, once, and answers the operations. */
  readonly prepare: (db: Database) => Writes;
}
