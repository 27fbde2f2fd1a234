import { type Documents, type ReadModelStore, type SealingKeys, storedSecret } from '#documents';
import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import type { Policy, VerifierKey } from '#verifier';
import { Cosignatures } from './cosignatures.js';
import { Heads } from './head.js';
import { openTlogKeys, type TlogOrigin } from './keys.js';
import { type PastLog, pastLogs } from './past-logs.js';
import { Pseudonyms } from './pseudonyms.js';
import type { SealerParts } from './sealer.js';
import { StoredTiles } from './stored-tiles.js';
import { TransparencyLog } from './transparency-log.js';

export interface TransparencyPorts {
  readonly events: EventStore;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly clock: Clock;
}

export interface OpenTransparency extends SealerParts {
  readonly log: TransparencyLog;
  /** The key of the pseudonyms. */
  readonly secret: Uint8Array;
  /** The keys that signed when it was opened, oldest first. */
  readonly signers: readonly VerifierKey[];
  /** What the witnesses of the policy have cosigned; null: there is none. */
  readonly cosignatures: Cosignatures | null;
  readonly past: readonly PastLog[];
}

/** Opens the transparency log, and makes its keys at the first start. @throws SealBroken, and as `openTlogKeys` */
export const openTransparency = async (
  { events, documents, readModelStore, clock }: TransparencyPorts,
  sealing: SealingKeys,
  origin: TlogOrigin,
  witnesses: Policy | null = null,
): Promise<OpenTransparency> => {
  const secret = await storedSecret(documents, 'tlog-pseudonyms', sealing);
  const keys = await openTlogKeys(documents, sealing, origin, clock);
  const parts = {
    heads: new Heads(documents),
    tiles: new StoredTiles(readModelStore),
    pseudonyms: new Pseudonyms(secret),
  };
  await parts.heads.prepare();
  await parts.tiles.prepare();
  const cosignatures = witnesses && new Cosignatures(documents, witnesses, clock);
  await cosignatures?.prepare();
  const log = new TransparencyLog({ ...parts, events, keys, cosignatures });
  const signers = await keys.verifierKeys();
  const past = await pastLogs({ events, documents, readModelStore, clock }, sealing);
  return { ...parts, events, clock, secret, signers, cosignatures, past, log };
};
