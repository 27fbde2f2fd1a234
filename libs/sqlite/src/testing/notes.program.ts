import process from 'node:process';
import { resourceLimits } from 'node:worker_threads';
import Libsql from 'libsql';
import type { Program } from '../index.js';

export type Notes = {
  readonly note: (text: string) => number | bigint;
  readonly noteBoth: (one: string, other: string) => (number | bigint)[];
  /** The COMMIT fails if there is no such note. */
  readonly reply: (note: number) => number;
  /** How many notes a stranger sees at this moment. */
  readonly countedOutside: () => unknown;
  /** The disk is full once the file has this many more pages; null: it has room again. */
  readonly leaveRoom: (pages: number | null) => void;
  /** How large (MB) the thread's heap may get. */
  readonly heapBound: () => number | undefined;
  /** Says in the gate's second place that the thread is busy, until the first has another value than 0. */
  readonly waitAt: (gate: Int32Array) => void;
  readonly endThread: () => never;
};

/** A file of notes with unique texts. */
export const program: Program<Notes> = {
  name: 'notes',
  applicationId: 7,
  migrations: [
    'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT',
    'CREATE TABLE replies (note INTEGER NOT NULL REFERENCES notes DEFERRABLE INITIALLY DEFERRED) STRICT',
  ],
  prepare: (db) => {
    db.pragma('foreign_keys = ON');
    const insert = db.prepare('INSERT INTO notes (text) VALUES (?)');
    const reply = db.prepare('INSERT INTO replies (note) VALUES (?)');
    const [{ file }] = db.pragma('database_list') as [{ readonly file: string }];
    return {
      note: (text) => insert.run(text).lastInsertRowid,
      noteBoth: (one, other) => [one, other].map((text) => insert.run(text).lastInsertRowid),
      reply: (note) => reply.run(note).changes,
      countedOutside: () => new Libsql(file).prepare('SELECT count(*) FROM notes').pluck().all()[0],
      leaveRoom: (pages) => {
        const [{ page_count: used }] = db.pragma('page_count') as [{ readonly page_count: number }];
        db.pragma(`max_page_count = ${pages === null ? 1_000_000 : used + pages}`);
      },
      heapBound: () => resourceLimits.maxOldGenerationSizeMb,
      waitAt: (gate) => {
        Atomics.store(gate, 1, 1);
        Atomics.wait(gate, 0, 0);
      },
      endThread: () => process.exit(3),
    };
  },
};
