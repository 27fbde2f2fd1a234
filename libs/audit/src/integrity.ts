import type { AuditedEvent } from '#verifier';
import { chainBreaches, parseCheckpoint, parseNote, replayMandate } from '#verifier';
import { nodeCrypto } from '#transparency';
import type { BundleSources } from './export-bundle.js';

/** What can be said of one stream before anybody downloads it. */
export interface Integrity {
  /** Whether every event is chained to the one before it, and of a mandate whether every rule was kept. */
  readonly isIntact: boolean;
  readonly events: number;
  /** How many of them are in the sealed log. */
  readonly sealed: number;
  /** What that rests on; null: nothing is sealed yet. `root` in base64. */
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly root: string } | null;
}

/** Checks a stream anew by the verifier's rules, which are not those that wrote it. */
export const integrityOf = async (stream: string, { events, log }: BundleSources): Promise<Integrity> => {
  const found: AuditedEvent[] = [];
  const positions: string[] = [];
  for await (const { position, metadata, ...event } of events.readStream(stream)) {
    found.push({ ...event, metadata: { ...metadata } });
    positions.push(position);
  }
  const sealed = await log.sealed();
  const indexes = await log.indexesOf(positions);
  const broken = chainBreaches(nodeCrypto.sha256, found).length;
  const rules = stream.startsWith('mandate-') ? replayMandate(stream, found).breaches.length : 0;
  const head = sealed && parseCheckpoint(parseNote(sealed.checkpoint).text);
  return {
    isIntact: broken + rules === 0,
    events: found.length,
    sealed: indexes.filter((index) => index !== null && head && index < head.size).length,
    checkpoint: head && { ...head, root: Buffer.from(head.root).toString('base64') },
  };
};
