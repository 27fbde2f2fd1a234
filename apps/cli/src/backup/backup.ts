import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#kernel';
import { folderMarkIn, jsonIn, markFolder, refuseMarked, VERSION } from '#runtime';
import { copySeen, type Database, lockFile, makeFolder, onDisk, openCut, UnusableFile } from '#sqlite';
import { refuseUnlessEmpty } from '../command-line.js';

/** What a backup holds, in this order. Read models are built again from the log. */
export const FILES = ['events.db', 'documents.db'] as const;

/** What is written last, and says that a backup is whole. */
const MANIFEST = 'backup.json';

const manifest = z.object({
  /** 1: of an earlier release, whose documents carry no mark. */
  format: z.union([z.literal(1), z.literal(2)]),
  version: z.string(),
  madeAt: z.string(),
  log: z.object({ position: z.number(), at: z.string() }).nullable(),
  keys: z.enum(['encrypted', 'in clear']),
  /** true: the folder that it was taken of goes on nowhere else, and so nothing has changed since. */
  moved: z.boolean().default(false),
  files: z.array(z.object({ name: z.enum(FILES), bytes: z.number(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifest>;

interface Taking {
  readonly dataDir: string;
  readonly into: string;
  readonly clock: Clock;
  readonly onProgress: (share: number) => void;
}

/** Copies log and documents of one moment; a mark lets nothing start on it (docs/adr/0124). @throws UnusableFile */
export const takeBackup = (taking: Taking): Promise<Manifest> => {
  refuseUnfit(taking);
  refuseMarked(taking.dataDir);
  return copied(taking, false);
};

/** Backs up a folder that nobody has open, marked first so that nothing starts on it. @throws UnusableFile */
export const moveAway = async (taking: Taking): Promise<Manifest> => {
  const { dataDir, into, clock } = taking;
  refuseUnfit(taking);
  const locks = FILES.map((name) => lockFile(join(dataDir, name)));
  try {
    const before = folderMarkIn(dataDir);
    if (before?.kind !== 'moved') refuseMarked(dataDir);
    markFolder(dataDir, { kind: 'moved', at: clock.now(), into: resolve(into) });
    try {
      return await copied(taking, true);
    } catch (error) {
      markFolder(dataDir, before);
      throw error;
    }
  } finally {
    for (const lock of locks) {
      lock.exec('ROLLBACK'); // the driver may keep the connection behind a closed handle
      lock.close();
    }
  }
};

/** @throws UnusableFile where there is nothing to be copied, or no place for it */
const refuseUnfit = ({ dataDir, into }: Taking): void => {
  for (const name of FILES)
    if (!existsSync(join(dataDir, name))) throw new UnusableFile(`there is no data in ${dataDir}: is DATA_DIR right?`);
  if (into.startsWith('-')) throw new UnusableFile(`${into} is no folder but looks like an option: name a folder`);
  if (!relative(resolve(dataDir), resolve(into)).startsWith('..'))
    throw new UnusableFile(`${into} is in ${dataDir}, which it is to be a copy of: name a folder elsewhere`);
  refuseUnlessEmpty(into);
};

const copied = async ({ dataDir, into, clock, onProgress }: Taking, moved: boolean): Promise<Manifest> => {
  const sources = FILES.map((name) => join(dataDir, name));
  const total = sources.reduce((sum, file) => sum + statSync(file).size, 0);
  makeFolder(resolve(into));
  await chmod(into, 0o700);
  const [log = '', ...others] = sources;
  const cut = openCut(log, others, endOf);
  const madeAt = clock.now();
  try {
    const [events, documents] = cut.files;
    if (!events || !documents) throw new UnusableFile('the files cannot be seen');
    let done = 0;
    for (const [place, name] of FILES.entries()) {
      const [db, source] = [cut.files[place], sources[place]];
      if (!db || !source) continue;
      const { size } = statSync(source);
      copySeen(db, join(into, name), (share) => onProgress(Math.min(1, (done + share * size) / total)));
      done += size;
    }
    markFolder(into, { kind: 'backup', at: madeAt });
    const files = await Promise.all(FILES.map((name) => described(into, name)));
    const [log, keys] = [lastOf(events), keysIn(documents)];
    const made: Manifest = { format: 2, version: VERSION, madeAt, log, keys, moved, files };
    await writeManifest(into, made);
    return made;
  } catch (error) {
    for (const name of [...FILES, MANIFEST]) await rm(join(into, name), { force: true });
    throw error;
  } finally {
    cut.close();
  }
};

const first = (db: Database, text: string): unknown => db.prepare(text).raw().all()[0];
const endOf = (db: Database): unknown => (first(db, 'SELECT max(position) FROM events') as [unknown])[0];

const lastOf = (events: Database): Manifest['log'] => {
  const last = first(
    events,
    "SELECT position, json_extract(metadata, '$.occurredAt') FROM events ORDER BY position DESC LIMIT 1",
  ) as readonly [number, string] | undefined;
  return last ? { position: last[0], at: last[1] } : null;
};

const writeManifest = async (folder: string, described: Manifest): Promise<void> => {
  const path = join(folder, MANIFEST);
  await writeFile(`${path}.new`, `${JSON.stringify(described, null, 2)}\n`, { mode: 0o600 });
  onDisk(`${path}.new`);
  await rename(`${path}.new`, path);
  onDisk(folder);
};

/** Makes a moved backup an ordinary one: it can be put back unchanged only once. @throws Error of the system, such as EROFS */
export const spend = (folder: string, described: Manifest): Promise<void> =>
  writeManifest(folder, { ...described, moved: false });

/** The collections in which keys or secrets of the service's own lie. */
export const KEYED = [
  'message-keys',
  'payment-tokens',
  'secrets',
  'signing-keys',
  'tlog-keys',
  'tlog-past',
  'webhooks',
] as const;

/** Whether any of them lies in clear: sealed by no cipher, or as releases before sealing wrote it. */
const keysIn = (documents: Database): Manifest['keys'] => {
  const isInClear = KEYED.some((name) => {
    const isKnown = first(documents, `SELECT 1 FROM collections WHERE name = '${name}'`) !== undefined;
    const inClear = `SELECT 1 FROM "c_${name}", json_tree(body)
      WHERE (key = 'cipher' AND value = 'none') OR key = 'base64' LIMIT 1`;
    return isKnown && first(documents, inClear) !== undefined;
  });
  return isInClear ? 'in clear' : 'encrypted';
};

const described = async (folder: string, name: (typeof FILES)[number]): Promise<Manifest['files'][number]> => {
  const path = join(folder, name);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { name, bytes: statSync(path).size, sha256: hash.digest('hex') };
};

/** What a folder says of its backup. @throws UnusableFile where none is whole */
export const readBackup = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null)
    throw new UnusableFile(`${folder} holds no backup, or one that was interrupted: it has no ${MANIFEST}`);
  const { data } = manifest.safeParse(jsonIn(text));
  if (!data) throw new UnusableFile(`${join(folder, MANIFEST)} is not what alcada backup writes`);
  for (const name of FILES) {
    const wanted = data.files.find((file) => file.name === name);
    const found = existsSync(join(folder, name)) ? await described(folder, name) : null;
    if (!found) throw new UnusableFile(`the backup lacks ${name}`);
    if (found.sha256 !== wanted?.sha256)
      throw new UnusableFile(`${join(folder, name)} is damaged: it is not the file that ${MANIFEST} describes`);
  }
  return data;
};
