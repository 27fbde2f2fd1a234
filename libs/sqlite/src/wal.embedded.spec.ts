import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { ownFolders } from '#testing';
import { DamagedFile } from './sqlite.errors.js';
import { checkWal } from './wal.embedded.js';

const newFolder = ownFolders();
const FRAME = 24 + 4_096;

let folder = '';
/** A write-ahead log as a kill leaves it. */
let wal = '';
beforeEach(() => {
  folder = newFolder();
  wal = join(folder, 'killed-wal');
});

/** Writes notes, each in a commit of its own, some before the log is begun anew, and keeps the log. */
const written = (before: number, after: number): void => {
  const file = join(folder, 'notes.db');
  const db = new Libsql(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO notes (text) VALUES (?)');
  for (let note = 0; note < before; note += 1) insert.run('x'.repeat(3_000));
  if (before > 0) db.pragma('wal_checkpoint(RESTART)');
  for (let note = 0; note < after; note += 1) insert.run('x'.repeat(3_000));
  copyFileSync(`${file}-wal`, wal);
  db.close();
};

const flip = (at: number): void => {
  const bytes = readFileSync(wal);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(wal, bytes);
};

describe('a write-ahead log', () => {
  it('is sound as a kill leaves it, also where it was written over an earlier one', () => {
    written(40, 5);
    expect(() => checkWal(wal)).not.toThrow();
    expect(() => checkWal(join(folder, 'none'))).not.toThrow();
  });

  it.each([
    ['the header', 17],
    ['a frame', 32 + 24 + 100],
    ['the header of a frame', 32 + 17],
    ['a frame further on', 32 + 4 * FRAME + 500],
  ])('is damaged where %s is not as it was written and commits follow', (_, at) => {
    written(0, 12);
    flip(at);
    expect(() => checkWal(wal)).toThrow(DamagedFile);
  });

  it('ends with its last commit that is whole, as after a power cut', () => {
    written(0, 12);
    flip(readFileSync(wal).length - 100);
    expect(() => checkWal(wal)).not.toThrow();
    truncateSync(wal, 32 + 3 * FRAME + 1_000);
    expect(() => checkWal(wal)).not.toThrow();
  });
});
