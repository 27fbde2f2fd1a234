import type { MessagePort } from 'node:worker_threads';
import type Libsql from 'libsql';

/** A connection to a SQLite file. Numbers are bound as REAL: compare them with INTEGER columns, which convert them. */
export type Database = Libsql.Database;

/** Operations by name, run in the worker thread. Arguments and answers cross threads by structured clone. */
export type Operations = Readonly<Record<string, (...args: never[]) => unknown>>;

/** The schema and operations of one kind of file, a module's `program`. Operations run in shared transactions; a throw undoes its own. */
export interface Program<Writes extends Operations> {
  /** What the file is, for messages: `event log`. */
  readonly name: string;
  /** SQLite's `application_id`, a positive 32-bit integer. A file with another one is refused. */
  readonly applicationId: number;
  /** Statements that lift the schema from version n to n + 1; version 0 is the empty file. Append only. */
  readonly migrations: readonly string[];
  /** Whether an operation gives free pages back (`incremental_vacuum`), which only a file made with it does. */
  readonly shrinks?: true;
  /** Prepares the statements, once, and returns the operations. */
  readonly prepare: (db: Database) => Writes;
}

/** `full`: an answered write survives a power cut; `normal`: it survives the end of the process, and the file stays sound. */
export type Durability = 'full' | 'normal';

export interface WriterData {
  readonly file: string;
  /** URL of the module that exports the `program`. */
  readonly program: string;
  readonly durability: Durability;
}

/** What a file offers to who writes to it: in its writing thread, or with that thread between. */
export interface WritableFile<Writes extends Operations> {
  /** A connection to read with `all()`, which leaves no transaction open that would delay checkpoints. */
  readonly reader: Database;
  /** See `SqliteFile.write`. */
  write<Name extends keyof Writes & string>(
    operation: Name,
    ...args: Parameters<Writes[Name]>
  ): Promise<ReturnType<Writes[Name]>>;
  close(): Promise<void>;
}

/** Work that is done in the writing thread, beside the writes of other threads: a module's function `work`. */
export type Work<Writes extends Operations, Data> = (
  file: WritableFile<Writes>,
  port: MessagePort,
  data: Data,
) => Promise<void>;

export interface WorkOrder {
  readonly module: string;
  readonly port: MessagePort;
  readonly data: unknown;
}

/** Who is notified by the writing thread of commits. */
export interface CommitListener {
  /** Gets a message, whatever it is, where `isNotified` was 0. */
  readonly port: MessagePort;
  /** One place that both see: 1 from the message on, until the listener sets it back. So one message stands for many commits. */
  readonly isNotified: Int32Array;
}

/** The first message of the writing thread. Then as many `Outcome`s as `Call`s, none for other work, and null for its end. */
export type Opened = { readonly unusable: string | null };

export interface Call {
  readonly operation: string;
  readonly args: readonly unknown[];
}

export type Outcome =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }
  | { readonly kind: 'refused'; readonly message: string };
