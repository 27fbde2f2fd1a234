import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Collection } from './collection.js';
import type { Documents } from './documents.port.js';
import type { CollectionSpec } from './query.js';
import { seal, sealedSecret, unseal } from './seal.js';

/** Random secrets of the service's own, made once and shared by all its processes. */
export const SECRETS: CollectionSpec = { name: 'secrets', indexes: [] };

/** As it is stored now, or as it was before secrets were sealed: its bytes, in clear. */
const stored = z.union([
  z.object({ sealed: sealedSecret }),
  z.object({ base64: z.string() }).transform(({ base64 }) => ({ sealed: { cipher: 'none' as const, data: base64 } })),
]);

/**
 * The secret with this name, 32 bytes; whoever asks first makes it. `key` (32 bytes; null: none) encrypts it at rest, also
 * where it was stored in clear before.
 *
 * @throws SealBroken where it is encrypted and `key` does not open it.
 */
export const storedSecret = async (documents: Documents, name: string, key: Uint8Array | null): Promise<Buffer> => {
  const secrets = new Collection(documents, SECRETS, stored);
  const known = await secrets.get(name);
  if (!known) {
    // Another process that starts may insert it first: the one stored counts.
    await secrets.insertIfAbsent(name, { sealed: seal(randomBytes(32), key, name) });
    return storedSecret(documents, name, key);
  }
  const { sealed } = known.body;
  const secret = unseal(sealed, key, name);
  if (key && sealed.cipher === 'none') await secrets.replace(known, { sealed: seal(secret, key, name) });
  return secret;
};
