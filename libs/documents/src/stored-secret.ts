import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Collection } from './collection.js';
import type { Documents } from './documents.port.js';
import type { CollectionSpec } from './query.js';
import { resealed, seal, sealedSecret, type SealingKeys, unseal } from './seal.js';

/** Random secrets of the service's own, made once and shared by all its processes. */
export const SECRETS: CollectionSpec = { name: 'secrets', indexes: [] };

/** What the keys are for: HMACs of cards, requests, snapshots, agents in the traffic, streams in the log, shared nonces, locators. */
const NAMES = [
  'card-fingerprints',
  'idempotency',
  'snapshots',
  'traffic',
  'tlog-pseudonyms',
  'dpop-nonces',
  'locators',
] as const;
export type SecretName = (typeof NAMES)[number];

/** As it is stored now, or as it was before secrets were sealed: its bytes, in clear. */
const stored = z.union([
  z.object({ sealed: sealedSecret }),
  z.object({ base64: z.string() }).transform(({ base64 }) => ({ sealed: { cipher: 'none' as const, data: base64 } })),
]);

/** The secret of this name, 32 bytes, made at first use, encrypted by the first of `keys`. @throws SealBroken */
export const storedSecret = async (documents: Documents, name: SecretName, keys: SealingKeys): Promise<Buffer> => {
  const secrets = new Collection(documents, SECRETS, stored);
  const known = await secrets.get(name);
  if (!known) {
    // Another process that starts may insert it first: the one stored counts.
    await secrets.insertIfAbsent(name, { sealed: seal(randomBytes(32), keys, name) });
    return storedSecret(documents, name, keys);
  }
  const { sealed } = known.body;
  const secret = unseal(sealed, keys, name);
  if (keys.length > 0 && sealed.cipher === 'none') {
    await secrets.replace(known, { sealed: seal(secret, keys, name) });
  }
  return secret;
};

/** Replaces a secret, and its bytes are gone: what was made with it cannot be made again. */
export const replaceSecret = async (
  documents: Documents,
  name: SecretName,
  secret: Uint8Array,
  keys: SealingKeys,
): Promise<void> => {
  const sealed = seal(Buffer.from(secret), keys, name);
  await new Collection(documents, SECRETS, stored).update(name, () => ({ sealed }));
};

/** Encrypts all secrets by the first of `keys`; returns how many were not. Safe to repeat beside processes. @throws SealBroken */
export const reencryptSecrets = async (documents: Documents, keys: SealingKeys): Promise<number> => {
  const secrets = new Collection(documents, SECRETS, stored);
  let changed = 0;
  for (const name of NAMES) {
    const written = await secrets.update(name, (body) => {
      const sealed = body && resealed(body.sealed, keys, name);
      return sealed && { sealed };
    });
    if (written) changed += 1;
  }
  return changed;
};
