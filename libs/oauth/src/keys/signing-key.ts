import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { promisify } from 'node:util';
import { seal, sealedSecret, type SealingKeys, unseal } from '#documents';
import { type Instant, plus } from '#kernel';
import { calculateJwkThumbprint } from 'jose';
import { z } from 'zod';

/** A signing key as it is stored. `number` counts them: of those whose time to sign has come, the highest one signs. */
export const storedSigningKey = z
  .object({
    number: z.int().positive(),
    kid: z.string(),
    createdAt: z.string(),
    /** Absent: made by an earlier release, and signed at once. */
    signsFrom: z.string().optional(),
    privateKey: sealedSecret,
  })
  .transform((key) => ({ ...key, signsFrom: key.signsFrom ?? key.createdAt }));
export type StoredSigningKey = z.infer<typeof storedSigningKey>;

/** The public half, as it is published (RFC 7517 §4). */
export type PublicJwk = z.infer<typeof publicMembers> & {
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256' | 'ES256';
};

export interface SigningKey {
  readonly number: number;
  readonly createdAt: Instant;
  readonly signsFrom: Instant;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

const publicMembers = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() }),
  z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
]);
const generate = promisify(generateKeyPair);

/** A new RSA key of 2048 bits: a quarter of a second of a core. */
export const newKeyPair = (): Promise<KeyPairKeyObjectResult> => generate('rsa', { modulusLength: 2048 });

/** A new key on the curve P-256. */
export const newCurveKeyPair = (): Promise<KeyPairKeyObjectResult> => generate('ec', { namedCurve: 'P-256' });

/** A new signing key, named by its thumbprint (RFC 7638): one that a command line does not take for an option. */
export const newSigningKey = async (
  times: Pick<StoredSigningKey, 'number' | 'createdAt' | 'signsFrom'>,
  keys: SealingKeys,
  newPair = newKeyPair,
): Promise<StoredSigningKey> => {
  const { privateKey, publicKey } = await newPair();
  const kid = await calculateJwkThumbprint(publicMembers.parse(publicKey.export({ format: 'jwk' })));
  if (kid.startsWith('-')) return newSigningKey(times, keys, newPair);
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { ...times, kid, privateKey: seal(pkcs8, keys, kid) };
};

/** @throws SealBroken */
export const openSigningKey = (
  { privateKey: sealed, kid, ...times }: StoredSigningKey,
  keys: SealingKeys,
): SigningKey => {
  const privateKey = createPrivateKey({ key: unseal(sealed, keys, kid), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const members = publicMembers.parse(publicKey.export({ format: 'jwk' }));
  const alg = members.kty === 'RSA' ? 'RS256' : 'ES256';
  return { ...times, kid, privateKey, publicKey, jwk: { ...members, kid, use: 'sig', alg } };
};

/** How long (ms) the JWKS may be cached. */
export const JWKS_MAX_AGE = 300_000;
/** How old (ms) the keys in the memory of a process may be: after that time each knows of a new and of a withdrawn one. */
export const KEYS_MAX_AGE = 10_000;
/** How far (ms) the clocks of two processes may differ. */
const SKEW = 60_000;
/** How long (ms) a key is published before it signs, so that no JWKS without it is cached any more (docs/adr/0081). */
export const PUBLISHED_BEFORE = JWKS_MAX_AGE + KEYS_MAX_AGE + SKEW;

interface Dated {
  readonly signsFrom: Instant;
}

/** Until when a key verifies, given its successor: by then everything that it signed has expired, `lifetime` ms after. */
export const verifiesUntil = ({ signsFrom }: Dated, lifetime: number): Instant => plus(signsFrom, lifetime + SKEW);

/** The keys that sign or verify at `now`, or will sign, newest first. */
export const inForce = <Key extends Dated>(
  now: Instant,
  newestFirst: readonly Key[],
  lifetime: number,
): readonly Key[] => {
  const end = newestFirst.findIndex((successor) => now >= verifiesUntil(successor, lifetime)) + 1;
  return end === 0 ? newestFirst : newestFirst.slice(0, end);
};

/** The key that signs at `now`, of the keys in force, newest first; undefined where there is none. */
export const signerAt = <Key extends Dated>(now: Instant, newestFirst: readonly Key[]): Key | undefined =>
  newestFirst.find(({ signsFrom }) => signsFrom <= now) ?? newestFirst.at(-1);
