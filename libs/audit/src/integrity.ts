import type { Position } from '#event-store';
import { MandateHistory, parseCheckpoint, parseNote, StreamChain } from '#verifier';
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

/**
 * Checks a stream anew by the verifier's rules, which are not those that wrote it, event by event as it is read: a long life
 * must not stop the loop.
 */
export const integrityOf = async (stream: string, { events, log }: BundleSources): Promise<Integrity> => {
  const chain = new StreamChain(nodeCrypto.sha256);
  const mandate = stream.startsWith('mandate-') ? new MandateHistory(stream) : null;
  const positions: Position[] = [];
  let broken = 0;
  for await (const event of events.readStream(stream)) {
    broken += chain.next(event).length + (mandate?.next(event).breaches.length ?? 0);
    positions.push(event.position);
  }
  const sealed = await log.sealed();
  const indexes = await log.indexesOf(positions);
  const head = sealed && parseCheckpoint(parseNote(sealed.checkpoint).text);
  return {
    isIntact: broken === 0,
    events: positions.length,
    sealed: indexes.filter((index) => index !== null && head && index < head.size).length,
    checkpoint: head && { ...head, root: Buffer.from(head.root).toString('base64') },
  };
};
