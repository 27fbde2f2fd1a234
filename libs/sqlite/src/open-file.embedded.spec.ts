import Libsql from 'libsql';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lockFile, openFile } from './open-file.embedded.js';
import type { Program } from './program.embedded.js';
import { UnusableFile } from './sqlite.errors.js';

const notes = (...later: string[]): Program<Record<string, never>> => ({
  name: 'notes',
  applicationId: 7,
  migrations: ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT', ...later],
  prepare: () => ({}),
});

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'sqlite-')), 'notes.db');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true }));

/** A file of some hundred pages, closed well. */
const written = (): string => {
  const db = openFile(file, notes(), 'full');
  const insert = db.prepare('INSERT INTO notes (text) VALUES (?)');
  for (let place = 0; place < 500; place += 1) insert.run('x'.repeat(2_000));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return file;
};

const opening = (path = file, program = notes(), large?: number) => {
  try {
    openFile(path, program, 'full', large).close();
    return 'opened';
  } catch (error) {
    expect(error).toBeInstanceOf(UnusableFile);
    return String(error);
  }
};

describe('openFile', () => {
  it('migrates an older file to the current schema and keeps its content', () => {
    written();
    const db = openFile(file, notes('ALTER TABLE notes ADD COLUMN colour TEXT'), 'normal');
    expect(db.prepare('SELECT count(*) FROM notes WHERE colour IS NULL').pluck().all()).toEqual([500]);
    expect(db.prepare('PRAGMA user_version').pluck().all()).toEqual([2]);
    db.close();
  });

  it('refuses a file from a newer version, naming file and versions', () => {
    openFile(file, notes('CREATE TABLE more (id INTEGER) STRICT'), 'full').close();
    expect(opening()).toContain(`${file} cannot be used as notes: it has version 2`);
  });

  it('refuses a file that is no database', () => {
    writeFileSync(file, 'Isto não é um banco de dados. '.repeat(1_000));
    expect(opening()).toContain('file is not a database');
  });

  it('refuses a database that is something else, and leaves it as it was', () => {
    const other = new Libsql(file);
    other.exec('CREATE TABLE letters (id INTEGER)');
    other.close();
    expect(opening()).toContain('it holds something else');
    expect(new Libsql(file).prepare('PRAGMA journal_mode').pluck().all()).toEqual(['delete']);
  });

  it('refuses a file that was cut short', () => {
    truncateSync(written(), Math.floor(statSync(file).size / 2));
    expect(opening()).toMatch(/damaged|malformed/);
  });

  it('refuses a file with garbage in the middle', () => {
    const descriptor = openSync(written(), 'r+');
    writeSync(descriptor, Buffer.alloc(8_192, 7), 0, 8_192, 40 * 4_096);
    closeSync(descriptor);
    expect(opening()).toContain('it is damaged');
  });

  describe('with a file too large to be read whole', () => {
    const LARGE = 1024 * 1024;
    const openingLarge = (path: string) => opening(path, notes(), LARGE);

    /** Cuts through the chain of pages of the last row. */
    const damage = (path: string): void => {
      const descriptor = openSync(path, 'r+');
      writeSync(descriptor, Buffer.alloc(8_192, 7), 0, 8_192, statSync(path).size - 100 * 4_096);
      closeSync(descriptor);
    };

    /** Writes it, and copies it before it is closed (`killed`) and afterwards (`closed`). */
    const large = (): { readonly killed: string; readonly closed: string } => {
      const [killed, closed] = [join(dirname(file), 'killed.db'), join(dirname(file), 'closed.db')];
      const db = openFile(file, notes(), 'normal');
      const insert = db.prepare('INSERT INTO notes (text) VALUES (?)');
      for (let place = 0; place < 3; place += 1) insert.run('x'.repeat(LARGE / 2));
      db.pragma('wal_checkpoint(TRUNCATE)');
      insert.run('not in the file yet');
      for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${killed}${part}`);
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      copyFileSync(file, closed);
      return { killed, closed };
    };

    it('reads all of it where its last writer was killed, and not where that one closed it', () => {
      const { killed, closed } = large();
      damage(killed);
      damage(closed);
      expect(openingLarge(killed)).toContain('it is damaged');
      expect(openingLarge(closed)).toBe('opened');
    });

    it('refuses one that was cut short also where its last writer closed it', () => {
      const { closed } = large();
      truncateSync(closed, statSync(closed).size - 100 * 4_096);
      expect(openingLarge(closed)).toMatch(/damaged|malformed/);
    });
  });
});

describe('lockFile', () => {
  it('creates the folder, and locks the file until it is released', () => {
    const path = join(file, '..', 'novo', 'sub', 'notes.db');
    const lock = lockFile(path);
    expect(() => lockFile(path)).toThrow(`${path} cannot be opened for writing: another process holds it`);
    lock.exec('ROLLBACK');
    lockFile(path).exec('ROLLBACK');
  });

  it('refuses a folder in which nothing can be written', () => {
    const folder = join(file, '..');
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534); // root may write everywhere
    try {
      expect(() => lockFile(file)).toThrow(`${file} cannot be opened for writing`);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder, 0o755);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['below a folder that takes none', '/proc/alcada/dados'],
    ['of a name that is too long', join(tmpdir(), 'a'.repeat(300), 'dados')],
  ])('ends with a message for a folder %s', (_, folder) => {
    expect(() => lockFile(join(folder, 'notes.db'))).toThrow(UnusableFile);
    expect(() => lockFile(join(folder, 'notes.db'))).toThrow(
      /cannot be opened for writing: .* \(E[A-Z]+\)\. Is DATA_DIR right\?$/,
    );
  });

  it('refuses a folder that cannot exist', () => {
    writeFileSync(file, 'a file where a folder should be');
    expect(() => lockFile(join(file, 'notes.db'))).toThrow(UnusableFile);
    expect(() => lockFile(join(file, 'notes.db'))).toThrow(/cannot be opened for writing/);
  });

  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  it('makes folder and file for their owner alone, whatever the umask', () => {
    const path = join(file, '..', 'novo', 'notes.db');
    const umask = process.umask(0);
    try {
      lockFile(path).exec('ROLLBACK');
      const db = openFile(path, notes(), 'full');
      const parts = readdirSync(dirname(path)).sort();
      expect(parts).toEqual(['notes.db', 'notes.db-shm', 'notes.db-wal', 'notes.db.lock']);
      expect(parts.map((name) => modeOf(join(dirname(path), name)))).toEqual(['600', '600', '600', '600']);
      expect(modeOf(dirname(path))).toBe('700');
      db.close();
    } finally {
      process.umask(umask);
    }
  });

  it('takes from others what they could read before', () => {
    const folder = dirname(written());
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    lockFile(file).exec('ROLLBACK');
    expect([modeOf(file), modeOf(folder)]).toEqual(['600', '700']);
  });

  it('leaves a folder as it is that holds something else too', () => {
    const folder = dirname(file);
    writeFileSync(join(folder, 'else.txt'), 'theirs');
    chmodSync(folder, 0o755);
    lockFile(file).exec('ROLLBACK');
    expect([modeOf(file), modeOf(folder)]).toEqual(['600', '755']);
  });
});
