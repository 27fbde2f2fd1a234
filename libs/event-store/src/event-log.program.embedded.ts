import type { Database, Program } from '#sqlite';
import { type EventToAppend, NO_STREAM } from './stored-event.js';

/** Where the last event of an append is; null: a conflict, and nothing was written. */
export type Written = { readonly revision: number; readonly position: number } | null;

const prepare = (db: Database) => {
  const lastRevision = db.prepare('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1').raw();
  const following = db.prepare(
    'SELECT revision, position, metadata FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?',
  );
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, category, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
  );

  /** Where the events are if exactly these stand at that revision: they were sent before (docs/consistency.md, rule 12). */
  const writtenBefore = (stream: string, expectedRevision: number, events: readonly EventToAppend[]): Written => {
    const stored = following.all(stream, expectedRevision, events.length) as (NonNullable<Written> &
      Pick<EventToAppend, 'metadata'>)[];
    const isSame =
      stored.length === events.length && stored.every((row, place) => row.metadata === events[place]?.metadata);
    const last = stored.at(-1);
    return isSame && last ? { revision: last.revision, position: last.position } : null;
  };

  return {
    /** Check and write are one step: no other operation of the writer comes between them. */
    append: (stream: string, category: string, expectedRevision: number, events: readonly EventToAppend[]): Written => {
      const found = lastRevision.get(stream) as readonly [number] | undefined;
      if ((found?.[0] ?? NO_STREAM) !== expectedRevision) return writtenBefore(stream, expectedRevision, events);
      let revision = expectedRevision;
      let position = 0;
      for (const { type, data, metadata } of events) {
        revision += 1;
        position = Number(insert.run(stream, revision, category, type, data, metadata).lastInsertRowid);
      }
      return { revision, position };
    },
  };
};

export type EventLogWrites = ReturnType<typeof prepare>;

/** The event log's file. Rows are never changed or deleted, so positions have no gaps. */
export const program: Program<EventLogWrites> = {
  name: 'event log',
  applicationId: 0x41_4c_43_45,
  migrations: [
    `CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      stream TEXT NOT NULL,
      revision INTEGER NOT NULL,
      category TEXT NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      metadata TEXT NOT NULL,
      UNIQUE (stream, revision)
    ) STRICT`,
  ],
  prepare,
};
