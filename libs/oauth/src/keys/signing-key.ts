import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { seal, sealedSecret, unseal } from '#documents';
import type { Instant } from '#kernel';
import { calculateJwkThumbprint } from 'jose';
import { z } from 'zod';

/** A signing key as it is stored. `number` counts them: the highest one signs. */
export const storedSigningKey = z.object({
  number: z.int().positive(),
  kid: z.string(),
  createdAt: z.string(),
  privateKey: sealedSecret,
});
export type StoredSigningKey = z.infer<typeof storedSigningKey>;

/** The public half, as it stands in the JWKS (RFC 7517 §4). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

/** A signing key as it is used: parsed once. */
export interface SigningKey {
  readonly number: number;
  readonly createdAt: Instant;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

const rsaJwk = z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() });
const generate = promisify(generateKeyPair);

/** A new RSA key of 2048 bits, named by its thumbprint (RFC 7638). */
export const newSigningKey = async (
  number: number,
  createdAt: string,
  key: Uint8Array | null,
): Promise<StoredSigningKey> => {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  const kid = await calculateJwkThumbprint(rsaJwk.parse(publicKey.export({ format: 'jwk' })));
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { number, kid, createdAt, privateKey: seal(pkcs8, key, kid) };
};

/** @throws SealBroken */
export const openSigningKey = (
  { number, createdAt, kid, privateKey: sealed }: StoredSigningKey,
  key: Uint8Array | null,
): SigningKey => {
  const privateKey = createPrivateKey({ key: unseal(sealed, key, kid), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { kty, n, e } = rsaJwk.parse(publicKey.export({ format: 'jwk' }));
  return { number, createdAt, kid, privateKey, publicKey, jwk: { kty, n, e, kid, use: 'sig', alg: 'RS256' } };
};
