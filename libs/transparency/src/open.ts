import { readFile } from 'node:fs/promises';
import { InvalidConfig } from '#config';
import { type Documents, type ReadModelStore, type SealingKeys, storedSecret } from '#documents';
import type { EventStore } from '#event-store';
import { type Clock, fileTrouble } from '#kernel';
import { parsePolicy, type Policy, type VerifierKey } from '#verifier';
import { Cosignatures } from './cosignatures.js';
import { Heads } from './head.js';
import { openTlogKeys, type TlogOrigin } from './keys.js';
import { nodeCrypto } from './node-crypto.js';
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

/** The policy in a file, which has to name somebody to be asked. @throws InvalidConfig */
export const readWitnesses = async (file: string): Promise<Policy> => {
  try {
    const policy = parsePolicy(await readFile(file, 'utf8'), nodeCrypto.sha256);
    const urls = policy.witnesses.flatMap(({ url }) => url ?? []);
    if (urls.length === 0) throw new Error('it has no witness with an address');
    const wrong = urls.find((url) => !/^https?:/.test(url) || !URL.canParse(url));
    if (wrong !== undefined) throw new Error(`${wrong} is no address of a witness`);
    return policy;
  } catch (error) {
    const reason = fileTrouble(error) ?? (error instanceof Error ? error.message : String(error));
    throw new InvalidConfig(`TLOG_WITNESSES: ${file} is no policy that names witnesses (C2SP tlog-policy): ${reason}`);
  }
};
