import { readFile } from 'node:fs/promises';
import type { Config } from '#config';
import type { Documents } from '#documents';
import { Aggregates } from '#event-store';
import { SecurityLog } from '#identity';
import { systemContext } from '#kernel';
import type { Ports } from '#runtime';
import { UnusableFile } from '#sqlite';
import { beginNextLog, nodeCrypto, pastHeads, readTlogKeys, type Succession, TLOG_KEYS } from '#transparency';
import { checkpointIn } from '../audit/kept-checkpoints.js';
import { base64, type Checkpoint, parseVerifierKey, verifyCheckpoint } from '#verifier';

/** A log that ended, and the one that goes on. */
export interface Succeeded {
  readonly origin: string;
  readonly successor: string;
  /** Entries of the older one by its last known checkpoint, and by the documents, which is what stays served. */
  readonly known: number;
  readonly frozen: number;
}

/** A checkpoint that somebody kept of the log of these documents. @throws UnusableFile: none, or not signed by its keys */
export const keptCheckpoint = async (file: string, documents: Documents): Promise<Checkpoint> => {
  await documents.prepare(TLOG_KEYS);
  const known = await readTlogKeys(documents);
  const retired = known?.retired.map((line) => parseVerifierKey(line, nodeCrypto.sha256)) ?? [];
  const logs = [...(known?.keys ?? []), ...retired].map((key) => ({ key, url: null }));
  try {
    const policy = { logs, witnesses: [], groups: [], quorum: 'none' };
    return await verifyCheckpoint(await readFile(file, 'utf8'), policy, nodeCrypto);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableFile(`${file} is no checkpoint that this log has signed: ${reason}`);
  }
};

/** The log that went on after a named checkpoint's; null: that log goes on, or its end was interrupted. */
export const succeededBy = async (
  file: string,
  { documents }: Pick<Ports, 'documents'>,
  { keyEncryptionKeys }: Config,
): Promise<Succeeded | null> => {
  await documents.prepare(TLOG_KEYS);
  const known = await readTlogKeys(documents);
  if (!known || known.isHalfBegun) return null;
  const [, kept] = await checkpointIn(file).catch(() => [file, null] as const); // of which keptCheckpoint says what it is
  if (!kept) return null;
  const { origin, size } = kept;
  const former = (await pastHeads(documents, keyEncryptionKeys)).at(-1);
  if (former?.origin !== origin) return null;
  const frozen = former.head?.size ?? 0;
  return { origin, successor: known.origin, known: Math.max(size, frozen), frozen };
};

/** Ends the log and begins the next, from `last` or the newer head. Nobody has the stores open. @throws SealBroken, Unavailable */
export const succeedLog = async (
  { documents, events, clock, ids }: Ports,
  { keyEncryptionKeys, tlogOrigin }: Config,
  last: Pick<Checkpoint, 'size' | 'root'> | null,
): Promise<Succeeded> => {
  const security = new SecurityLog(new Aggregates(events, clock, ids), clock);
  const record = async ({ origin, successor, head }: Succession): Promise<void> => {
    const { size = 0, root = new Uint8Array() } = newer(last, head) ?? {};
    const data = { origin, size, root: base64(root), successor };
    const { actor, ...cause } = systemContext('tlog-begin');
    await security.record((begunAt) => ({ type: 'LogSucceeded', data: { ...data, begunAt } }), actor, cause);
  };
  const { origin, successor, head } = await beginNextLog({ documents, clock }, keyEncryptionKeys, tlogOrigin, record);
  return { origin, successor, known: newer(last, head)?.size ?? 0, frozen: head?.size ?? 0 };
};

const newer = <Tree extends Pick<Checkpoint, 'size'>>(one: Tree | null, other: Tree | null): Tree | null =>
  (one?.size ?? -1) > (other?.size ?? -1) ? one : other;
