import { randomBytes } from 'node:crypto';
import {
  Collection,
  type CollectionSpec,
  type Documents,
  type ReadModelStore,
  replaceSecret,
  resealed,
  seal,
  sealedSecret,
  type SealingKeys,
  SECRETS,
  storedSecret,
  unseal,
} from '#documents';
import { type EventStore, LogUpTo } from '#event-store';
import type { Clock } from '#kernel';
import { formatCheckpoint, formatVerifierKey } from '#verifier';
import { z } from 'zod';
import { TLOG_COSIGNATURES } from './cosignatures.js';
import { type Head, Heads, TLOG_HEAD } from './head.js';
import {
  beginEnding,
  beginSuccessor,
  endBeginning,
  openTlogKeys,
  readTlogKeys,
  TLOG_KEYS,
  type TlogOrigin,
} from './keys.js';
import { Pseudonyms } from './pseudonyms.js';
import { StoredTiles, TLOG_TILES } from './stored-tiles.js';
import { TransparencyLog } from './transparency-log.js';
import { TreeBuilder } from './tree-builder.js';

/** The logs that came before the one that grows, frozen as they were signed last; by their numbers, from 1 on. */
export const TLOG_PAST: CollectionSpec = { name: 'tlog-past', indexes: [] };

const storedPast = z.object({
  origin: z.string(),
  keys: z.array(z.string()),
  /** What was signed last, as it was served; null: nothing ever was. */
  sealed: z
    .object({
      checkpoint: z.string(),
      size: z.number(),
      root: z.base64(),
      position: z.string(),
      markedAfter: z.string(),
    })
    .nullable(),
  secret: sealedSecret,
});
type StoredPast = z.infer<typeof storedPast>;

const collection = (documents: Documents) => new Collection(documents, TLOG_PAST, storedPast);
const nameOf = (number: number): string => `tlog-past-${number}`;

/** What is known of a log that grows no more. */
export interface PastHead {
  readonly number: number;
  readonly origin: string;
  /** The verifier keys that signed it last, a line each. */
  readonly key: string;
  /** Null: nothing of it was ever signed. */
  readonly checkpoint: string | null;
  /** Null with the checkpoint. */
  readonly head: Head | null;
  readonly pseudonyms: Pseudonyms;
}

export interface PastLog extends PastHead {
  /** @throws NotSealed while its tiles are being built */
  readonly log: Pick<TransparencyLog, 'tile' | 'entries'>;
  /** Builds its tiles again, as far as they are missing. */
  readonly build: () => Promise<void>;
}

/** Those of a service; the class is its own injection token. */
export class PastLogs {
  constructor(readonly logs: readonly PastLog[]) {}
}

interface PastPorts {
  readonly events: EventStore;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly clock: Clock;
}

/** What is known of the logs that came before, oldest first. @throws SealBroken where the secret of one cannot be opened */
export const pastHeads = async (documents: Documents, sealing: SealingKeys): Promise<readonly PastHead[]> => {
  const stored = collection(documents);
  await stored.prepare();
  const heads: PastHead[] = [];
  for await (const { id, body } of stored.every()) {
    const { origin, keys, sealed, secret } = body;
    const number = Number(id);
    heads.push({
      number,
      origin,
      key: keys.map((line) => `${line}\n`).join(''),
      checkpoint: sealed?.checkpoint ?? null,
      head: headIn(body),
      pseudonyms: new Pseudonyms(unseal(secret, sealing, nameOf(number))),
    });
  }
  return heads.sort((one, other) => one.number - other.number);
};

const headIn = ({ sealed }: Pick<StoredPast, 'sealed'>): Head | null =>
  sealed && { ...sealed, root: Buffer.from(sealed.root, 'base64') };

/** The logs that came before, oldest first. @throws SealBroken */
export const pastLogs = async (ports: PastPorts, sealing: SealingKeys): Promise<readonly PastLog[]> =>
  Promise.all((await pastHeads(ports.documents, sealing)).map((known) => withFiles(known, ports)));

const withFiles = async (known: PastHead, { events, readModelStore, clock }: PastPorts): Promise<PastLog> => {
  const { number, origin, head, pseudonyms } = known;
  const tiles = new StoredTiles(readModelStore, { ...TLOG_TILES, name: `${TLOG_TILES.name}-${number}` });
  await tiles.prepare();
  // What came after its last head is none of its business.
  const until = head ? new LogUpTo(events, head.position) : events;
  const heads = { read: () => Promise.resolve(head && { ...head, version: 1 }) };
  const keys = { origin, sign: () => Promise.resolve(''), verifierKeys: () => Promise.resolve([]) };
  return {
    ...known,
    log: new TransparencyLog({ events: until, heads, tiles, pseudonyms, keys }),
    build: async () => {
      if (!head || ((await tiles.grown())?.size ?? 0) >= head.size) return;
      await new TreeBuilder({ events: until, tiles, pseudonyms, clock }).grow(head.markedAfter);
    },
  };
};

export interface Succession {
  readonly origin: string;
  readonly successor: string;
  /** How many entries of it were signed by what the documents say, and their root; null: none. */
  readonly head: Head | null;
}

/** Freezes the log and begins the next (docs/adr/0124), safe to repeat. `record`: writes what ended into it. @throws SealBroken */
export const beginNextLog = async (
  { documents, clock }: Pick<PastPorts, 'documents' | 'clock'>,
  sealing: SealingKeys,
  origin: TlogOrigin,
  record: (succession: Succession) => Promise<void>,
): Promise<Succession> => {
  const [past, heads] = [collection(documents), new Heads(documents)];
  await past.prepare();
  await heads.prepare();
  for (const spec of [TLOG_COSIGNATURES, TLOG_KEYS, SECRETS]) await documents.prepare(spec);
  const begun = await readTlogKeys(documents);
  if (!begun?.isBeginning) {
    const keys = await openTlogKeys(documents, sealing, origin, clock, true);
    await beginEnding(documents);
    const head = await heads.read();
    const number = (await readTlogKeys(documents))?.number ?? 1;
    const text = head && formatCheckpoint({ origin: keys.origin, ...head });
    const secret = await storedSecret(documents, 'tlog-pseudonyms', sealing);
    const body: StoredPast = {
      origin: keys.origin,
      keys: (await keys.verifierKeys()).map(formatVerifierKey),
      sealed:
        head && text !== null
          ? {
              checkpoint: `${text}\n${await keys.sign(text)}`,
              size: head.size,
              root: Buffer.from(head.root).toString('base64'),
              position: head.position,
              markedAfter: head.markedAfter,
            }
          : null,
      secret: seal(secret, sealing, nameOf(number)),
    };
    await past.update(`${number}`, () => body);
    await beginSuccessor(documents, sealing, number);
  }
  // From here on the name of the next log stands, and its first start waits until all is done.
  const { number = 2, origin: successor = '' } = (await readTlogKeys(documents)) ?? {};
  await documents.delete(TLOG_HEAD.name, 'head');
  await documents.delete(TLOG_COSIGNATURES.name, 'cosigned');
  await replaceSecret(documents, 'tlog-pseudonyms', randomBytes(32), sealing);
  const former = await past.get(`${number - 1}`);
  const ended = former?.body.origin ?? '';
  const head = former && headIn(former.body);
  await record({ origin: ended, successor, head });
  await endBeginning(documents);
  return { origin: ended, successor, head };
};

/** Encrypts the secrets of past logs under the first key-encryption key; returns how many were not yet. @throws SealBroken */
export const reencryptPastLogs = async (documents: Documents, sealing: SealingKeys): Promise<number> => {
  const stored = collection(documents);
  await stored.prepare();
  let changed = 0;
  for await (const { id } of stored.every()) {
    const written = await stored.update(id, (body) => {
      const secret = body && resealed(body.secret, sealing, nameOf(Number(id)));
      return body && secret && { ...body, secret };
    });
    if (written) changed += 1;
  }
  return changed;
};
