import Libsql from 'libsql';
import { reader } from './open-file.embedded.js';
import type { Database } from './program.embedded.js';

/** A table of its own beside those of the program: what reads or checks the file need not know it. */
const TABLE = 'mark';

/** The mark that a file carries; null: none, or the file cannot be read, which opening it will report. */
export const markIn = (file: string): string | null => {
  let db: Database | null = null;
  try {
    db = reader(file);
    const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').raw().all(TABLE).length > 0;
    // As bytes: what is no UTF-8 would end the process in the driver.
    const read = (opened: Database) =>
      opened.prepare(`SELECT CAST(text AS BLOB) FROM ${TABLE}`).raw().all() as [Buffer][];
    const [row] = isThere ? read(db) : [];
    return row?.[0].toString() ?? null;
  } catch {
    return null;
  } finally {
    db?.close();
  }
};

/** Gives a file a mark in the place of the one it has, or (null) takes it away; it is on the disk when this ends. */
export const setMark = (file: string, mark: string | null): void => {
  const db = new Libsql(file);
  try {
    db.pragma('synchronous = full');
    db.exec('BEGIN IMMEDIATE');
    db.exec(`CREATE TABLE IF NOT EXISTS ${TABLE} (text TEXT NOT NULL) STRICT`);
    db.exec(`DELETE FROM ${TABLE}`);
    if (mark === null) db.exec(`DROP TABLE ${TABLE}`);
    else db.prepare(`INSERT INTO ${TABLE} (text) VALUES (?)`).run(mark);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
};
