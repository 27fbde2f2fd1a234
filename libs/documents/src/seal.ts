import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** A secret of the service's own as it is stored: in clear, or under AES-256-GCM. All binary parts are base64. */
export const sealedSecret = z.discriminatedUnion('cipher', [
  z.object({ cipher: z.literal('none'), data: z.string() }),
  z.object({ cipher: z.literal('aes-256-gcm'), iv: z.string(), tag: z.string(), data: z.string() }),
]);
export type SealedSecret = z.infer<typeof sealedSecret>;

/** A stored secret that cannot be opened with the key-encryption key there is. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Seals `data` under `key` (32 bytes; null: in clear). `name` is bound to it, so that no secret can stand in for another. */
export const seal = (data: Uint8Array, key: Uint8Array | null, name: string): SealedSecret => {
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

/** @throws SealBroken where the key is another one, is missing, or the stored bytes were changed. */
export const unseal = (sealed: SealedSecret, key: Uint8Array | null, name: string): Buffer => {
  const data = Buffer.from(sealed.data, 'base64');
  if (sealed.cipher === 'none') return data;
  if (!key) throw new SealBroken('the stored keys are encrypted, and KEY_ENCRYPTION_KEY is not set');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch (error) {
    throw new SealBroken('the stored keys were encrypted with another KEY_ENCRYPTION_KEY, or are damaged', {
      cause: error,
    });
  }
};
