import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import {
  Collection,
  type CollectionSpec,
  type Documents,
  resealed,
  seal,
  sealedSecret,
  type SealingKeys,
  unseal,
} from '#documents';
import { type Clock, millisecondsOf } from '#kernel';
import {
  ED25519,
  formatVerifierKey,
  fromBase64,
  hex,
  keyName,
  signatureLine,
  utf8,
  type VerifierKey,
  verifierKey,
} from '#verifier';
import { nodeCrypto } from './node-crypto.js';

/** The keys that sign the log's checkpoints, stored encrypted like the other secrets. */
export const TLOG_KEYS: CollectionSpec = { name: 'tlog-keys', indexes: [] };

/** The one document of the collection: a rotation changes all of it in one step. */
const ID = 'log';
/** How old (ms) the keys in the memory of a process may be: after that time each signs with a new one. */
const MAX_AGE = 10_000;

const storedKey = z.object({ publicKey: z.string(), privateKey: sealedSecret });
const storedKeys = z.object({
  origin: z.string(),
  /** Those that sign, oldest first: two while one follows the other. */
  keys: z.array(storedKey).min(1).max(2),
  /** The verifier keys that sign no more, oldest first: a checkpoint that somebody kept may be by one of them. */
  retired: z.array(z.string()),
  /** Which log of this service it is; absent: the first. */
  number: z.int().optional(),
  /** Another one is to follow it: nothing is signed any more. */
  isEnding: z.literal(true).optional(),
  /** It is being begun: what is stored of the one before is not gone yet. */
  isBeginning: z.literal(true).optional(),
});
type StoredKey = z.infer<typeof storedKey>;

const collection = (documents: Documents) => new Collection(documents, TLOG_KEYS, storedKeys);

export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/** The message for an operator about a log that was begun halfway. */
export const HALF_BEGUN = 'the next log was begun and not to its end: run alcada tlog begin again';

/** A log that was begun and not to its end. The message is for the operator. */
export class LogHalfBegun extends Error {
  override readonly name = 'LogHalfBegun';
}

/** The origin of a log: `first` where the log is new, and `configured`, where it is not null, in any case. */
export interface TlogOrigin {
  readonly first: string;
  readonly configured: string | null;
}

/** The public half of the log's keys. */
export interface KnownTlogKeys {
  readonly origin: string;
  /** Those that sign, oldest first: two during a rotation. */
  readonly keys: readonly VerifierKey[];
  /** The lines of those that sign no more, oldest first. */
  readonly retired: readonly string[];
  /** Which log of this service it is, from 1 on. */
  readonly number: number;
  readonly isBeginning: boolean;
  /** Whether another one was to begin and has not: nothing starts until it was. */
  readonly isHalfBegun: boolean;
}

/** The name of the log with this number, where `name` is that of the first one. */
const numbered = (name: string, number: number): string => keyName(number === 1 ? name : `${name}#${number}`);

/** Reads what the keys of the log are; null before its first start. */
export const readTlogKeys = async (documents: Documents): Promise<KnownTlogKeys | null> => {
  const known = await collection(documents).get(ID);
  if (!known) return null;
  const { origin, keys, retired, number = 1, isBeginning = false, isEnding = false } = known.body;
  const isHalfBegun = isBeginning || isEnding;
  return { origin, keys: keys.map((key) => named(origin, key)), retired, number, isBeginning, isHalfBegun };
};

/** What identifies a key on paper: the hex SHA-256 of its line with the newline, which `sha256sum` gives as well. */
export const fingerprintOf = (key: VerifierKey): string => hex(nodeCrypto.sha256(utf8(`${formatVerifierKey(key)}\n`)));

/** The Ed25519 keys that sign checkpoints: one, or two during a rotation, so that trust can move on (docs/adr/0095). */
export class TlogKeys {
  private signers: readonly { readonly key: VerifierKey; readonly privateKey: KeyObject }[] = [];
  private loadedAt = 0;

  constructor(
    private readonly documents: Documents,
    private readonly sealing: SealingKeys,
    private readonly clock: Clock,
    readonly origin: string,
  ) {}

  /** The signature lines of a checkpoint's text, by each key that signs now. @throws DocumentsUnavailable */
  async sign(text: string): Promise<string> {
    await this.refresh();
    return this.signers
      .map(({ key, privateKey }) => signatureLine({ ...key, signature: sign(null, utf8(text), privateKey) }))
      .join('');
  }

  /** The keys that sign now, oldest first. @throws DocumentsUnavailable */
  async verifierKeys(): Promise<readonly VerifierKey[]> {
    await this.refresh();
    return this.signers.map(({ key }) => key);
  }

  /** Reads the keys, where those in memory are too old. @throws SealBroken where they cannot be opened */
  async refresh(): Promise<void> {
    const now = millisecondsOf(this.clock.now());
    if (this.signers.length > 0 && now - this.loadedAt < MAX_AGE) return;
    const known = await collection(this.documents).get(ID);
    if (!known) throw new Error('the keys of the log are gone');
    this.signers = known.body.keys.map((key) => ({ key: named(this.origin, key), privateKey: this.opened(key) }));
    this.loadedAt = now;
  }

  private opened({ publicKey, privateKey }: StoredKey): KeyObject {
    return createPrivateKey({ key: unseal(privateKey, this.sealing, publicKey), format: 'der', type: 'pkcs8' });
  }
}

/** Opens or makes the log's keys. `isSucceeding`: the next log is begun. @throws SealBroken; Malformed origin; LogHalfBegun */
export const openTlogKeys = async (
  documents: Documents,
  sealing: SealingKeys,
  { first, configured }: TlogOrigin,
  clock: Clock,
  isSucceeding = false,
): Promise<TlogKeys> => {
  const stored = collection(documents);
  await stored.prepare();
  if (!(await stored.get(ID))) {
    const key = newKey(sealing);
    const origin = keyName(configured ?? first);
    // Of several processes that start at once, the first one's key counts.
    await stored.insertIfAbsent(ID, { origin, keys: [key], retired: [] });
  }
  await stored.update(ID, (body) => {
    if (body?.isBeginning || (body?.isEnding && !isSucceeding)) throw new LogHalfBegun(HALF_BEGUN);
    // A configured name is that of the first log: one that came after it never takes it.
    const origin = configured === null ? null : numbered(configured, body?.number ?? 1);
    if (!body || origin === null || origin === body.origin) return null;
    const former = body.keys.map((key) => formatVerifierKey(named(body.origin, key)));
    return { ...body, origin, retired: [...body.retired, ...former] };
  });
  await reseal(documents, sealing, ({ privateKey }) => privateKey.cipher === 'none');
  const keys = new TlogKeys(documents, sealing, clock, (await stored.get(ID))?.body.origin ?? first);
  await keys.refresh();
  return keys;
};

/** Says that another log is to follow: from here on nothing starts until that has begun to its end. */
export const beginEnding = async (documents: Documents): Promise<void> => {
  await collection(documents).update(ID, (body) => (body && !body.isEnding ? { ...body, isEnding: true } : null));
};

/** Puts a new key with the name of the next log in the place of all there are; `number`: of the log that ends. */
export const beginSuccessor = async (documents: Documents, sealing: SealingKeys, number: number): Promise<void> => {
  const key = newKey(sealing);
  await collection(documents).update(ID, (body) => {
    if (!body || (body.number ?? 1) !== number) return null;
    const name = body.origin.replace(new RegExp(`#${number}$`), '');
    const origin = numbered(name, number + 1);
    // Until it has begun, the newest checkpoint of the one before may be named again.
    const former = body.keys.map((one) => formatVerifierKey(named(body.origin, one)));
    return { origin, keys: [key], retired: [...body.retired, ...former], number: number + 1, isBeginning: true };
  });
};

/** Says that nothing of the log before is left where the one that was begun has its own. */
export const endBeginning = async (documents: Documents): Promise<void> => {
  await collection(documents).update(ID, (body) => {
    if (!body?.isBeginning) return null;
    const { isBeginning: _, ...begun } = body;
    return { ...begun, retired: [] };
  });
};

/** Adds a second key: both sign from now on. @throws RotationRefused */
export const rotateTlogKeys = async (documents: Documents, sealing: SealingKeys): Promise<void> => {
  const key = newKey(sealing);
  await collection(documents).update(ID, (body) => {
    if (!body) throw new RotationRefused('the log has no key yet: the first start of the server makes one');
    if (body.keys.length > 1) throw new RotationRefused('two keys sign already: retire the older one first');
    return { ...body, keys: [...body.keys, key] };
  });
};

/** Ends the older of two keys, and deletes its private half. @throws RotationRefused */
export const retireTlogKey = async (documents: Documents): Promise<void> => {
  await collection(documents).update(ID, (body) => {
    const [older, newer] = body?.keys ?? [];
    if (!body || !older || !newer) throw new RotationRefused('there are no two keys that sign: rotate first');
    return { ...body, keys: [newer], retired: [...body.retired, formatVerifierKey(named(body.origin, older))] };
  });
};

/** Encrypts the keys under the first key-encryption key; returns how many were not yet. @throws SealBroken */
export const reencryptTlogKeys = (documents: Documents, sealing: SealingKeys): Promise<number> =>
  reseal(documents, sealing, () => true);

const reseal = async (
  documents: Documents,
  sealing: SealingKeys,
  isDue: (key: StoredKey) => boolean,
): Promise<number> => {
  let changed = 0;
  await collection(documents).update(ID, (body) => {
    const sealed = body?.keys.map((key) => isDue(key) && resealed(key.privateKey, sealing, key.publicKey)) ?? [];
    changed = sealed.filter(Boolean).length;
    const keys = body?.keys.map((key, at) => ({ ...key, privateKey: sealed[at] || key.privateKey }));
    return body && keys && changed > 0 ? { ...body, keys } : null;
  });
  return changed;
};

const newKey = (sealing: SealingKeys): StoredKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // The key itself is the end of its SPKI encoding (RFC 8410, section 4).
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  return { publicKey: bytes, privateKey: seal(privateKey.export({ format: 'der', type: 'pkcs8' }), sealing, bytes) };
};

const named = (name: string, { publicKey }: StoredKey): VerifierKey =>
  verifierKey({ name, type: ED25519, publicKey: fromBase64(publicKey) }, nodeCrypto.sha256);
