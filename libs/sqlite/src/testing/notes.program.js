import process from 'node:process';
import Libsql from 'libsql';

/** A file of notes with unique texts; plain JavaScript, because worker threads load nothing else. */
export const program = {
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
    const [{ file }] = db.pragma('database_list');
    return {
      note: (text) => insert.run(text).lastInsertRowid,
      noteBoth: (one, other) => [one, other].map((text) => insert.run(text).lastInsertRowid),
      /** The COMMIT fails if there is no such note. */
      reply: (note) => reply.run(note).changes,
      /** How many notes a stranger sees at this moment. */
      countedOutside: () => new Libsql(file).prepare('SELECT count(*) FROM notes').pluck().all()[0],
      /** The disk is full once the file has this many more pages; null: it has room again. */
      leaveRoom: (pages) => {
        const [{ page_count: used }] = db.pragma('page_count');
        db.pragma(`max_page_count = ${pages === null ? 1_000_000 : used + pages}`);
      },
      endThread: () => process.exit(3),
    };
  },
};
