/** The writing thread of one file: the only connection that writes to it. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Libsql from 'libsql';
import { lockFile, openFile, unusable } from './open-file.embedded.js';
import type {
  Call,
  CommitListener,
  Database,
  Opened,
  Operations,
  Outcome,
  Program,
  Work,
  WorkOrder,
  WritableFile,
  WriterData,
} from './program.embedded.js';
import { failureOf } from './sqlite.errors.js';

const { file, program: url, durability } = workerData as WriterData;
const { program } = (await import(url)) as { readonly program: Program<Operations> };

const open = () => {
  const lock = lockFile(file);
  try {
    const db = openFile(file, program, durability);
    return { lock, db, operations: prepared(db) };
  } catch (error) {
    lock.exec('ROLLBACK');
    throw error;
  }
};

const prepared = (db: Database): Operations => {
  try {
    return program.prepare(db);
  } catch (error) {
    throw unusable(file, program, durability, error); // its schema is not what it was made with
  }
};

type Message = readonly Call[] | WorkOrder | CommitListener | null;

const serve = (port: MessagePort, { lock, db, operations }: ReturnType<typeof open>): void => {
  const listeners: CommitListener[] = [];
  const handle = (message: Message): void => {
    if (message === null) {
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      lock.exec('ROLLBACK'); // the driver may keep the connection behind a closed handle
      lock.close();
      port.close();
    } else if ('module' in message) {
      void begin(message, directly(db, operations)); // its failure is an unhandled one, which ends the thread
    } else if ('isNotified' in message) {
      listeners.push(message);
      notify(message); // of what was committed before
    } else {
      const { calls, next } = gathered(port, message);
      port.postMessage(runBatch(db, operations, calls));
      listeners.forEach(notify);
      if (next !== undefined) handle(next);
    }
  };
  port.on('message', handle);
};

/** Calls with all that have arrived behind them, which one commit carries, and the message of another kind after these. */
const gathered = (port: MessagePort, first: readonly Call[]) => {
  const calls = [...first];
  for (;;) {
    const next = receiveMessageOnPort(port)?.message as Message | undefined;
    if (!next || 'module' in next || 'isNotified' in next) return { calls, next };
    calls.push(...next);
  }
};

const notify = ({ port, isNotified }: CommitListener): void => {
  if (Atomics.exchange(isNotified, 0, 1) === 0) port.postMessage(null);
};

const begin = async ({ module, port, data }: WorkOrder, file: WritableFile<Operations>): Promise<void> => {
  const { work } = (await import(module)) as { readonly work: Work<Operations, unknown> };
  await work(file, port, data);
};

/** The file for who works in this thread: writes of one turn share a transaction. What ends the process is thrown, not returned. */
const directly = (db: Database, operations: Operations): WritableFile<Operations> => {
  let waiting: { readonly call: Call; readonly answer: (outcome: Outcome | undefined) => void }[] = [];
  const commit = (): void => {
    const writes = waiting;
    waiting = [];
    const outcomes = runBatch(
      db,
      operations,
      writes.map(({ call }) => call),
    );
    writes.forEach(({ answer }, place) => answer(outcomes[place]));
  };
  return {
    reader: db,
    write: async (operation, ...args) => {
      const outcome = await new Promise<Outcome | undefined>((answer) => {
        if (waiting.push({ call: { operation, args }, answer }) === 1) setImmediate(commit);
      });
      if (outcome?.kind === 'done') return outcome.answer;
      throw failureOf(outcome);
    },
    close: () => Promise.resolve(), // with the thread
  };
};

/** Runs calls in one transaction, with savepoints only if one fails. What leaves memory unsure ends the process (rule 14). */
const runBatch = (db: Database, operations: Operations, batch: readonly Call[]): readonly Outcome[] => {
  try {
    db.exec('BEGIN IMMEDIATE');
    const outcomes = runAll(db, operations, batch) ?? batch.map((call) => runAlone(db, operations, call));
    db.exec('COMMIT');
    return outcomes;
  } catch (error) {
    // The driver's own errors lose their text on the way to another thread.
    if (!isRefusal(error)) throw new Error(`the transaction failed: ${String(error)}`, { cause: error });
    if (db.inTransaction) db.exec('ROLLBACK');
    return batch.map(() => ({ kind: 'refused', message: error.message }));
  }
};

const run = (operations: Operations, { operation, args }: Call): Outcome => ({
  kind: 'done',
  answer: operations[operation]?.(...(args as never[])),
});

/** The outcomes of calls of which none fails; null where one does: the transaction begins again, with nothing done. */
const runAll = (db: Database, operations: Operations, batch: readonly Call[]): readonly Outcome[] | null => {
  try {
    return batch.map((call) => run(operations, call));
  } catch (error) {
    throwIfWhole(db, error);
    db.exec('ROLLBACK; BEGIN IMMEDIATE');
    return null;
  }
};

/** Runs a call under a savepoint of its own. */
const runAlone = (db: Database, operations: Operations, call: Call): Outcome => {
  db.exec('SAVEPOINT call');
  try {
    const outcome = run(operations, call);
    db.exec('RELEASE call');
    return outcome;
  } catch (error) {
    throwIfWhole(db, error);
    db.exec('ROLLBACK TO call; RELEASE call');
    return { kind: 'failed', message: String(error), code: codeOf(error) };
  }
};

/** Throws what concerns all calls. SQLite rolls back the whole transaction after some errors; then no single call is left to undo. */
const throwIfWhole = (db: Database, error: unknown): void => {
  if (isRefusal(error) || !db.inTransaction) throw error;
};

const codeOf = (error: unknown): string | undefined => (error instanceof Libsql.SqliteError ? error.code : undefined);

/** SQLite's codes for which it promises that nothing was written. `BUSY`: another program writes to the file. */
const REFUSALS = ['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_BUSY'];

const isRefusal = (error: unknown): error is Error =>
  REFUSALS.some((code) => codeOf(error)?.split('_', 2).join('_') === code);

const report = (opened: Opened) => parentPort?.postMessage(opened);

try {
  if (parentPort) serve(parentPort, open());
  report({ unusable: null });
} catch (error) {
  report({ unusable: error instanceof Error ? error.message : String(error) });
}
