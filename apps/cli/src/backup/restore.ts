import { existsSync, readdirSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
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
import { FILES, type Manifest, readBackup } from './backup.js';

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
  if (!config.allowsMixedData) refuseMixed(folder);
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
    await Promise.allSettled(closing.map((close) => close())); // they were only read
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

/** @throws UnusableFile where a data folder has data, which are never mixed with others */
export const refuseWhereData = (dataDir: string): void => {
  const found = existsSync(dataDir) ? readdirSync(dataDir).find((name) => /\.db(-wal|-shm)?$/.test(name)) : undefined;
  if (found !== undefined)
    throw new UnusableFile(`${dataDir} has data already (${found}): set DATA_DIR to a folder that has none`);
};

/**
 * Copies a backup that was checked into a data folder that has no data, for its owner alone, with empty read models, which
 * the next start fills. They are made last, so that a restore that fails before is not in the way of the next one.
 *
 * @throws UnusableFile, Error of the system
 */
export const putBack = async (folder: string, dataDir: string): Promise<void> => {
  refuseWhereData(dataDir);
  makeFolder(resolve(dataDir));
  const partial = (name: string): string => join(dataDir, `${name}.partial`);
  try {
    for (const name of FILES) {
      await copyFile(join(folder, name), partial(name));
      await chmod(partial(name), 0o600);
      onDisk(partial(name));
    }
  } catch (error) {
    for (const name of FILES) await rm(partial(name), { force: true });
    throw error;
  }
  // Documents first: a log without them would be taken for one whose documents are lost.
  for (const name of [...FILES].reverse()) await rename(partial(name), join(dataDir, name));
  onDisk(dataDir);
  const empty = { file: join(dataDir, 'read-models.db'), durability: 'normal', clock: new SystemClock() } as const;
  await (await EmbeddedDocuments.open(empty)).close();
};
