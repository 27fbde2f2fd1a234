import { constants } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type LogReport, verifyLog } from '#audit';
import type { Config } from '#config';
import { EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore } from '#event-store';
import { RandomIds, SystemClock } from '#kernel';
import { openKeyRegistry } from '#oauth';
import { largeFiles, oauthSettings, refuseMixed } from '#runtime';
import { makeFolder, onDisk, reader, UnusableFile } from '#sqlite';
import { FILES, type Manifest, readBackup, refuseUnlessEmpty } from './backup.js';

/** What is found in a backup. */
export interface Checked {
  readonly manifest: Manifest;
  readonly log: LogReport;
}

/**
 * Reads a whole backup where it lies: the bytes, every page, hash and checksum, every rule of the log, its tree against what
 * was signed, and the ledger. It writes nothing there, and nothing to any data folder.
 *
 * @throws UnusableFile; SealBroken where the keys in it are under another KEY_ENCRYPTION_KEY
 */
export const checkBackup = async (
  folder: string,
  config: Config,
  onProgress: (share: number) => void,
): Promise<Checked> => {
  const manifest = await readBackup(folder);
  refuseUnsound(folder);
  refuseMixed(folder);
  const clock = new SystemClock();
  const work = await mkdtemp(join(tmpdir(), 'alcada-restore-'));
  const closing: (() => Promise<void>)[] = [];
  const opened = <Store extends { readonly close: () => Promise<void> }>(store: Store): Store => {
    closing.unshift(() => store.close());
    return store;
  };
  try {
    const events = opened(await EmbeddedEventStore.openToRead(join(folder, 'events.db')));
    const documents = opened(await EmbeddedDocuments.openToRead(join(folder, 'documents.db'), clock));
    // The tiles of the tree are built anew, as all that can be.
    const empty = { file: join(work, 'read-models.db'), durability: 'normal', clock } as const;
    const readModelStore = opened(await EmbeddedDocuments.open(empty));
    const sources = { events, documents, readModelStore, clock };
    const none = { ids: new RandomIds(), projecting: null, growing: null, checking: null };
    await (await openKeyRegistry({ ...sources, ...none }, oauthSettings(config))).list(); // which opens them
    return { manifest, log: await verifyLog(sources, { since: null, sealing: config.keyEncryptionKeys, onProgress }) };
  } finally {
    for (const close of closing) await close();
    await rm(work, { recursive: true, force: true });
  }
};

/** @throws UnusableFile where SQLite or what was written says that a file is damaged */
const refuseUnsound = (folder: string): void => {
  for (const { path, damages } of largeFiles(folder, 0)) {
    const db = reader(path);
    try {
      const [found] = db.prepare('SELECT * FROM pragma_integrity_check(1)').pluck().all();
      if (found !== 'ok') throw new UnusableFile(`${path} is damaged: ${String(found)}`);
      for (const damage of damages(db)) if (damage !== null) throw new UnusableFile(damage);
    } finally {
      db.close();
    }
  }
};

/** Copies a backup that was checked into a data folder that is empty. @throws UnusableFile, Error of the system */
export const putBack = async (folder: string, dataDir: string): Promise<void> => {
  refuseUnlessEmpty(dataDir);
  makeFolder(resolve(dataDir));
  const partial = (name: string): string => join(dataDir, `${name}.partial`);
  for (const name of FILES) {
    await copyFile(join(folder, name), partial(name), constants.COPYFILE_EXCL);
    onDisk(partial(name));
  }
  // Documents first: a log without them would be taken for one whose documents are lost.
  for (const name of [...FILES].reverse()) await rename(partial(name), join(dataDir, name));
  onDisk(dataDir);
};
