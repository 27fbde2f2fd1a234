import { existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type LogReport, verifyLog } from '#audit';
import type { Config } from '#config';
import { EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore } from '#event-store';
import { RandomIds, SystemClock } from '#kernel';
import { openKeyRegistry } from '#oauth';
import {
  closePorts,
  largeFiles,
  markFolder,
  oauthSettings,
  openEmbeddedPorts,
  type Ports,
  refuseMixed,
} from '#runtime';
import { makeFolder, onDisk, reader, UnusableFile } from '#sqlite';
import type { Checkpoint } from '#verifier';
import { FILES, type Manifest, readBackup } from './backup.js';
import { type Lost, lostSince } from './lost.js';
import { keptCheckpoint } from './next-log.js';

/** What is found in a backup. */
export interface Checked {
  readonly manifest: Manifest;
  readonly log: LogReport;
  /** What is known of the time after it; null: nobody asked. */
  readonly lost: Lost | null;
}

export interface Compared {
  /** The newest checkpoint that was published of its log. */
  readonly sameLog?: string;
  /** What is left of the time after it: a data folder, or a checkpoint. */
  readonly lost?: string;
}

/** Reads and checks a whole backup, writing nothing. @throws UnusableFile; SealBroken under another KEY_ENCRYPTION_KEY */
export const checkBackup = async (
  folder: string,
  config: Config,
  { sameLog, lost }: Compared,
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
    // The tiles of the tree are built again, as all that can be.
    const empty = { file: join(work, 'read-models.db'), durability: 'normal', clock } as const;
    const readModelStore = opened(await EmbeddedDocuments.open(empty));
    const sources = { events, documents, readModelStore, clock };
    const none = { ids: new RandomIds(), projecting: null, growing: null, checking: null };
    await (await openKeyRegistry({ ...sources, ...none }, oauthSettings(config))).list(); // which opens them
    const published = sameLog === undefined ? null : await keptCheckpoint(sameLog, documents);
    const checkpoints = published ? ([[sameLog ?? '', published]] as const) : [];
    const log = await verifyLog(sources, { since: null, sealing: config.keyEncryptionKeys, checkpoints, onProgress });
    if (published) refuseAnother(sameLog ?? '', published, log);
    return { manifest, log, lost: lost === undefined ? null : await lostSince(lost, sources) };
  } finally {
    await Promise.allSettled(closing.map((close) => close())); // they were only read
    await rm(work, { recursive: true, force: true });
  }
};

/** A log goes on under its name only where nothing was published that it does not hold. @throws UnusableFile */
const refuseAnother = (file: string, { size }: Checkpoint, { sealed, breaches }: LogReport): void => {
  if (size > (sealed ?? 0))
    throw new UnusableFile(
      `${file} has ${size} entries, and the backup's head ${sealed ?? 0}: what was published after it is lost, so another ` +
        'log has to begin. Leave --same-log out, and name this checkpoint with --lost',
    );
  const broken = breaches.find(({ rule }) => rule === 'checkpoint' || rule === 'sealed');
  if (broken) throw new UnusableFile(`${file} is of another history: ${broken.message}`);
};

/** @throws UnusableFile where SQLite or what was written says that a file is damaged */
const refuseUnsound = (folder: string): void => {
  for (const { path, damages } of largeFiles(folder, 0)) {
    const db = reader(path);
    try {
      const sql = 'SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)';
      const [[found] = []] = db.prepare(sql).raw().all() as [Buffer][];
      if (String(found) !== 'ok') throw new UnusableFile(`${path} is damaged: ${String(found)}`);
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

/** In a data folder: where a backup is made ready. Nothing starts on it there. */
const PARTIAL = 'restore.partial';

/** Copies a checked backup into an empty folder, marked until `prepare` and all names are done. @throws UnusableFile */
export const putBack = async <Prepared>(
  folder: string,
  { madeAt }: Manifest,
  config: Config,
  prepare: (ports: Ports) => Promise<Prepared>,
): Promise<Prepared> => {
  const { dataDir } = config;
  refuseWhereData(dataDir);
  const work = resolve(dataDir, PARTIAL);
  await rm(work, { recursive: true, force: true }); // of a restore that was interrupted
  makeFolder(work);
  try {
    for (const name of FILES) {
      await copyFile(join(folder, name), join(work, name));
      await chmod(join(work, name), 0o600);
    }
    markFolder(work, null);
    const ports = await openEmbeddedPorts({ ...config, dataDir: work });
    const prepared = await prepare(ports).finally(() => closePorts(ports));
    markFolder(work, { kind: 'backup', at: madeAt });
    EmbeddedDocuments.rewrite(join(work, 'documents.db')); // so that nothing of what was ended stays in free pages
    // Documents first: they carry the mark.
    for (const name of [...FILES].reverse()) await named(work, dataDir, name);
    onDisk(dataDir);
    const empty = { file: join(dataDir, 'read-models.db'), durability: 'normal', clock: new SystemClock() } as const;
    await (await EmbeddedDocuments.open(empty)).close();
    markFolder(dataDir, null);
    return prepared;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** Gives a file its name, and first what is still in its write-ahead log. */
const named = async (work: string, dataDir: string, name: string): Promise<void> => {
  for (const part of [`${name}-wal`, name]) {
    if ((statSync(join(work, part), { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    onDisk(join(work, part));
    await rename(join(work, part), join(dataDir, part));
  }
};
