import { readFile } from 'node:fs/promises';
import type { Config } from '#config';
import type { Ports } from '#runtime';
import { pastHeads, readTlogKeys, TLOG_KEYS } from '#transparency';
import { type Checkpoint, parseCheckpoint } from '#verifier';

/** A checkpoint that somebody kept, with the name of its file. */
export type KeptCheckpoint = readonly [file: string, checkpoint: Checkpoint];

/** Reads one: the note as it was served, or its first three lines. @throws Error where it is none */
export const checkpointIn = async (file: string): Promise<KeptCheckpoint> => {
  const note = await readFile(file, 'utf8');
  const [body] = note.split('\n\n');
  return [file, parseCheckpoint(`${(body ?? '').trimEnd()}\n`)];
};

/** Refuses checkpoints of foreign logs, which would look like a cut one. @throws Error naming the known logs; SealBroken */
export const refuseOthers = async (
  { documents }: Pick<Ports, 'documents'>,
  config: Config,
  checkpoints: readonly KeptCheckpoint[],
): Promise<void> => {
  await documents.prepare(TLOG_KEYS);
  const keys = await readTlogKeys(documents);
  if (!keys) return;
  const past = checkpoints.length > 0 ? await pastHeads(documents, config.keyEncryptionKeys) : [];
  const retired = keys.retired.map((line) => line.split('+')[0]);
  const before = past.map(({ origin }) => origin);
  for (const [file, { origin }] of checkpoints) {
    if ([keys.origin, ...retired, ...before].includes(origin)) continue;
    const others = before.length > 0 ? `, after ${before.join(', ')}` : '';
    throw new Error(`${file} is a checkpoint of ${origin}, and this log is ${keys.origin}${others}`);
  }
};
