import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { ownFolders } from '#testing';
import { copySeen, openCut } from './cut.embedded.js';
import type { Database } from './program.embedded.js';

const newFolder = ownFolders();
let folder: string;
let log: Database;
let other: Database;
beforeEach(() => {
  folder = newFolder();
  [log, other] = [opened('log'), opened('other')];
});
afterEach(() => {
  log.close();
  other.close();
});

const fileOf = (name: string): string => join(folder, `${name}.db`);
const opened = (name: string): Database => {
  const db = new Libsql(fileOf(name));
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)');
  return db;
};
const write = (db: Database, body = 'x'): unknown => db.prepare('INSERT INTO rows (body) VALUES (?)').run(body);
const countIn = (db: Database): number => Number(db.prepare('SELECT count(*) FROM rows').pluck().all()[0]);
const copyOf = (db: Database, name: string): Database => {
  copySeen(db, fileOf(name));
  return new Libsql(fileOf(name));
};

describe('files of one moment', () => {
  it('are seen as they were, whatever is written while they are copied', () => {
    for (let row = 0; row < 500; row += 1) write(log, 'y'.repeat(1_000));
    write(other);
    const cut = openCut(fileOf('log'), [fileOf('other')], countIn);
    write(log);
    write(other);
    log.pragma('wal_checkpoint(PASSIVE)');
    const copies = cut.files.map((file, place) => copyOf(file, `copy-${place}`));
    cut.close();
    expect(copies.map(countIn)).toEqual([500, 1]);
    expect(copies.map((copy) => copy.prepare('SELECT * FROM pragma_integrity_check').pluck().all())).toEqual([
      ['ok'],
      ['ok'],
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy-0.db', 'copy-1.db']);
    expect(statSync(fileOf('copy-0')).mode & 0o777).toBe(0o600);
    expect(() => copySeen(log, fileOf('copy-0'))).toThrow('EEXIST');
    copies.forEach((copy) => copy.close());
  });

  it('are looked for until nothing was written to the log while the others came to be seen', () => {
    let looks = 0;
    const cut = openCut(fileOf('log'), [fileOf('other')], (db) => {
      const end = countIn(db);
      // Between the two looks at the log of one attempt: both files together would be of no moment.
      if (looks % 2 === 0 && looks < 10) {
        write(other);
        write(log);
      }
      looks += 1;
      return end;
    });
    const seen = cut.files.map(countIn);
    cut.close();
    expect([seen, looks]).toEqual([[5, 5], 12]);
  });
});
