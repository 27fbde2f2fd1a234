import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { seal, sealedSecret, unseal } from '#documents';
import { type Instant, plus } from '#kernel';
import { calculateJwkThumbprint } from 'jose';
import { z } from 'zod';
import { LIFETIMES } from '../oauth-settings.js';

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

/** How long (ms) after its creation a key begins to sign: by then every process that meets its `kid` finds it. */
const SIGNS_AFTER = 500;
/** How much longer (ms) than its last token a key verifies, so that every process signs with the next, and clocks may differ. */
const SLACK = 60_000;

interface Dated {
  readonly createdAt: Instant;
}

/** Until when a key verifies, given its successor: by then everything that it signed has expired. */
export const verifiesUntil = ({ createdAt }: Dated): Instant => plus(createdAt, LIFETIMES.accessToken + SLACK);

/** The keys that sign or verify at `now`, newest first. */
export const inForce = <Key extends Dated>(now: Instant, newestFirst: readonly Key[]): readonly Key[] => {
  const end = newestFirst.findIndex((successor) => now >= verifiesUntil(successor)) + 1;
  return end === 0 ? newestFirst : newestFirst.slice(0, end);
};

/** The key that signs at `now`, of the keys in force, newest first; undefined where there is none. */
export const signerAt = <Key extends Dated>(now: Instant, newestFirst: readonly Key[]): Key | undefined =>
  newestFirst.find(({ createdAt }) => plus(createdAt, SIGNS_AFTER) <= now) ?? newestFirst.at(-1);
