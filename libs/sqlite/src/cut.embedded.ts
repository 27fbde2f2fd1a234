import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import Libsql from 'libsql';
import { reader } from './open-file.embedded.js';
import type { Database } from './program.embedded.js';
import { UnusableFile } from './sqlite.errors.js';

/** How often a moment is looked for in which nothing is written. A look takes some 0.1 ms, a writer rests longer than that. */
const ATTEMPTS = 10_000;

/** How many pages are written at once: 1 MB. */
const AT_ONCE = 256;

/** Some files as they were at one moment, beside the process that writes to them. */
export interface Cut {
  /** Connections to the files, in the order in which they were named, each in a transaction that sees that moment. */
  readonly files: readonly Database[];
  /** Lets go of the moment. Until then no write-ahead log begins again, and each grows by what is written meanwhile. */
  readonly close: () => void;
}

/** Opens files as of one moment: seen while `endOf` the growing `log` stays the same. @throws UnusableFile: it never rests */
export const openCut = (log: string, others: readonly string[], endOf: (db: Database) => unknown): Cut => {
  const [now, grown, rest] = [reader(log), reader(log), others.map(reader)];
  const files = [grown, ...rest];
  const close = (): void => [now, ...files].forEach((db) => db.close());
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    see(grown);
    const end = endOf(grown);
    rest.forEach(see);
    if (endOf(now) === end) return { files, close };
    files.forEach((db) => db.exec('ROLLBACK'));
  }
  close();
  throw new UnusableFile(`${log} is written to without a pause: try again when there is less to do`);
};

/** Begins to see a file; what it sees is of the moment of its first read. */
const see = (db: Database): void => {
  db.exec('BEGIN');
  db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all();
};

/** Writes a file as a connection sees it into a new, private one without write-ahead log. @throws Error of the system */
export const copySeen = (db: Database, to: string, onProgress: (share: number) => void = () => undefined): void => {
  const pages = Number(db.prepare('SELECT page_count FROM pragma_page_count').pluck().all()[0]);
  const page = db.prepare('SELECT data FROM sqlite_dbpage WHERE pgno = ?').raw();
  const file = openSync(to, 'wx', 0o600);
  try {
    for (let first = 1; first <= pages; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, pages - first + 1);
      const some = Array.from({ length: count }, (_, place) => (page.all(first + place) as Buffer[][]).flat());
      writeFileSync(file, Buffer.concat(some.flat())); // where the one before it ended
      onProgress((first + count - 1) / pages);
    }
  } finally {
    closeSync(file);
  }
  const copy = new Libsql(to);
  copy.pragma('journal_mode = DELETE');
  copy.close();
  onDisk(to);
};

/** Waits until a file, or the names in a folder, are on the disk. */
export const onDisk = (path: string): void => {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};
