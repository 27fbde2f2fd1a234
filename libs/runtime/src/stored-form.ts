import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { damageInDocuments, type EmbeddedDocuments } from '#documents';
import { damageInLog } from '#event-store';
import { type Database, reader, remedyFor, UnusableFile } from '#sqlite';

/** Up to how many bytes a file is read whole before anything is served: 8 MB take some 50 ms. */
const SMALL = 8 * 1024 * 1024;

/** The files of a data folder, and how the content of each is compared with its hashes and checksums. */
const FILES = [
  { name: 'events.db', durability: 'full', damageIn: damageInLog },
  { name: 'documents.db', durability: 'full', damageIn: damageInDocuments },
  { name: 'read-models.db', durability: 'normal', damageIn: damageInDocuments },
] as const;

type FileName = (typeof FILES)[number]['name'];

export interface CheckedFile {
  readonly path: string;
  /** What is wrong with the next piece of it, for the operator; null: nothing. The first that is wrong ends it. */
  readonly damages: (db: Database) => Generator<string | null, void, undefined>;
}

/** The files of a data folder whose size in bytes is as it is meant. */
const filesWhere = (dataDir: string, isMeant: (size: number, name: FileName) => boolean): readonly CheckedFile[] =>
  FILES.flatMap(({ name, durability, damageIn }) => {
    const path = join(dataDir, name);
    const size = sizeOf(path);
    if (size === 0 || !isMeant(size, name)) return [];
    return [{ path, damages: (db) => reported(path, remedyFor(durability), () => damageIn(db)) }];
  });

/** The files of a data folder that no start reads. */
export const largeFiles = (dataDir: string, small = SMALL): readonly CheckedFile[] =>
  filesWhere(dataDir, (size) => size > small);

/** In bytes, with what is in the write-ahead log. */
const sizeOf = (path: string): number =>
  [path, `${path}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0);

function* reported(
  path: string,
  remedy: string,
  damagesIn: () => Generator<string | null, void, undefined>,
): Generator<string | null, void, undefined> {
  const message = (damage: string) => `${path} is damaged: ${damage}. ${remedy}`;
  try {
    for (const damage of damagesIn()) yield damage === null ? null : message(damage);
  } catch (error) {
    yield message(error instanceof Error ? error.message : String(error)); // SQLite does not understand what it reads
  }
}

/** Reads a file of a data folder, if it is small, before anything else does. @throws UnusableFile where it is not as written */
export const refuseDamaged = (dataDir: string, file: FileName): void => {
  for (const { path, damages } of filesWhere(dataDir, (size, name) => size <= SMALL && name === file)) {
    const db = reader(path);
    try {
      for (const damage of damages(db)) if (damage !== null) throw new UnusableFile(damage);
    } finally {
      db.close();
    }
  }
};

export interface CheckingData {
  readonly dataDir: string;
  /** See `SMALL`. */
  readonly small: number;
}

/** Reads the large files, beside everything else, and reports the first damage. Returns what ends it. */
export type Checking = (onDamage: (message: string) => void) => () => Promise<void>;

const MODULE = new URL('./checking.thread.js', import.meta.url);

/** Reads them in the read models' writing thread with a tenth of its time, by its own connections: no start waits. */
export const checkInThread =
  (store: EmbeddedDocuments, dataDir: string, small = SMALL): Checking =>
  (onDamage) => {
    if (largeFiles(dataDir, small).length === 0) return () => Promise.resolve();
    const port = store.begin(MODULE, { dataDir, small } satisfies CheckingData);
    const closed = once(port, 'close');
    port.on('message', onDamage);
    return async () => {
      port.postMessage('stop');
      await closed;
    };
  };
