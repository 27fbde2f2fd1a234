import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** A secret of the service's own as it is stored: in clear, or under AES-256-GCM. All binary parts are base64. */
export const sealedSecret = z.discriminatedUnion('cipher', [
  z.object({ cipher: z.literal('none'), data: z.string() }),
  z.object({ cipher: z.literal('aes-256-gcm'), iv: z.string(), tag: z.string(), data: z.string() }),
]);
export type SealedSecret = z.infer<typeof sealedSecret>;
type EncryptedSecret = Extract<SealedSecret, { readonly cipher: 'aes-256-gcm' }>;

/** A stored secret that cannot be opened with the key-encryption key there is. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** The key-encryption keys, 32 bytes each: the first seals, all open (docs/adr/0081). None: secrets are stored in clear. */
export type SealingKeys = readonly Uint8Array[];

/** Seals `data` under the first key. `name` is bound to it, so that no secret can stand in for another. */
export const seal = (data: Uint8Array, [key]: SealingKeys, name: string): SealedSecret => {
  if (!key) return { cipher: 'none', data: Buffer.from(data).toString('base64') };
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  return {
    cipher: 'aes-256-gcm',
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: sealed.toString('base64'),
  };
};

/** @throws SealBroken where no key opens it, there is none, or the stored bytes were changed. */
export const unseal = (sealed: SealedSecret, keys: SealingKeys, name: string): Buffer => {
  if (sealed.cipher === 'none') return Buffer.from(sealed.data, 'base64');
  if (keys.length === 0) throw new SealBroken('the stored keys are encrypted, and KEY_ENCRYPTION_KEY is not set');
  for (const key of keys) {
    const data = opened(sealed, key, name);
    if (data) return data;
  }
  throw new SealBroken('the stored keys were encrypted with another KEY_ENCRYPTION_KEY, or are damaged');
};

/** `sealed` under the first key; null where it is sealed under that one already. @throws SealBroken */
export const resealed = (sealed: SealedSecret, keys: SealingKeys, name: string): SealedSecret | null => {
  const [current] = keys;
  if (!current || (sealed.cipher !== 'none' && opened(sealed, current, name))) return null;
  return seal(unseal(sealed, keys, name), keys, name);
};

const opened = (sealed: EncryptedSecret, key: Uint8Array, name: string): Buffer | null => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return Buffer.concat([decipher.update(Buffer.from(sealed.data, 'base64')), decipher.final()]);
  } catch {
    return null;
  }
};
