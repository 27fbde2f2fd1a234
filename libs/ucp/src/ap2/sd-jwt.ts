import { createHash } from 'node:crypto';
import { decodeSdJwtSync, unpackSync } from '@sd-jwt/decode';
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { z } from 'zod';

/** The algorithms of mandates and of the merchant (UCP, AP2 Mandates, Cryptographic Requirements). */
export const ALGORITHMS = ['ES256', 'ES384', 'ES512'] as const;

const none = z.undefined().optional();

/** A public key, with neither a private part nor a secret. Its curve has to be that of the algorithm, which jose sees to. */
export const publicKey = z.object({
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384', 'P-521']),
  x: z.string(),
  y: z.string(),
  d: none,
  k: none,
});
export type PublicKey = z.infer<typeof publicKey>;

/** No extension that must be understood: there is none that is. */
const joseHeader = z.object({
  alg: z.enum(ALGORITHMS),
  typ: z.string().optional(),
  kid: z.string().optional(),
  crit: none,
});

const HASHES = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' } as const;
const sdAlgorithm = z.enum(['sha-256', 'sha-384', 'sha-512']).default('sha-256');
type SdAlgorithm = z.infer<typeof sdAlgorithm>;

/** Base64url of the hash of an ASCII text, as SD-JWT has digests of disclosures and `sd_hash` (RFC 9901 §4.2.3, §4.3.1). */
export const digestOf = (text: string, algorithm: SdAlgorithm): string =>
  createHash(HASHES[algorithm]).update(text, 'ascii').digest('base64url');

export type Claims = Readonly<Record<string, unknown>>;

/** One SD-JWT, read but not yet verified. */
export interface SdJwt {
  /** With its disclosures, without what binds a key: what `sd_hash` is made of. */
  readonly compact: string;
  readonly jwt: string;
  readonly header: z.infer<typeof joseHeader>;
  readonly algorithm: SdAlgorithm;
  /** The key binding JWT at its end; null: it has none. */
  readonly kbJwt: string | null;
}

const COMPACT = /^([\w-]+\.[\w-]+\.[\w-]+)~((?:[\w-]+~)*)([\w-]+\.[\w-]+\.[\w-]+)?$/;

/** Whether it is the one text of these bytes: another one would be the same token under another hash. */
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;

/** How many disclosures a token has: with their digests, 64 KiB have no room for more, and each costs. */
const MOST_DISCLOSURES = 1_000;

/** @throws Error where it is none */
export const readSdJwt = (text: string): SdJwt => {
  const [, jwt, disclosures = '', kbJwt] = COMPACT.exec(text) ?? [];
  if (jwt === undefined) throw new Error('no SD-JWT');
  if (disclosures.split('~').length > MOST_DISCLOSURES + 1) throw new Error('too many disclosures');
  if (!text.split(/[.~]/).every(isCanonical)) throw new Error('no canonical base64url');
  const { payload } = decodeSdJwtSync(`${jwt}~`, digestBytes).jwt;
  return {
    compact: `${jwt}~${disclosures}`,
    jwt,
    header: joseHeader.parse(decodeProtectedHeader(jwt)),
    algorithm: sdAlgorithm.parse(payload['_sd_alg']),
    kbJwt: kbJwt ?? null,
  };
};

const digestBytes = (text: string | ArrayBuffer, algorithm: string) =>
  createHash(HASHES[sdAlgorithm.parse(algorithm)])
    .update(typeof text === 'string' ? text : new Uint8Array(text))
    .digest();

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The payload of a JWS, verified. The key decides nothing but whether it is right: algorithms are ours. @throws Error */
export const verifiedJson = async (jws: string, key: PublicKey): Promise<Claims> => {
  const { alg } = joseHeader.parse(decodeProtectedHeader(jws));
  const { payload } = await compactVerify(jws, await importJWK(publicKey.parse(key), alg), {
    algorithms: [...ALGORITHMS],
  });
  return z.record(z.string(), z.unknown()).parse(JSON.parse(decoder.decode(payload)));
};

export interface Disclosed {
  readonly claims: Claims;
  /** What stays undisclosed: the names of arrays with such an element, and `_sd` for a claim, wherever it is. */
  readonly hidden: readonly string[];
  /** The digest by which the mandate was signed that is disclosed, be it of several (AP2 0.2, `delegate_payload`); absent: it was not hidden. */
  readonly mandate?: string | undefined;
}

/** What an SD-JWT says, with what is disclosed in its place (RFC 9901 §7.1). @throws Error */
export const verifiedClaims = async ({ compact, jwt, algorithm }: SdJwt, key: PublicKey): Promise<Disclosed> => {
  const payload = { ...(await verifiedJson(jwt, key)) };
  const { disclosures } = decodeSdJwtSync(compact, digestBytes);
  const byDigest = new Map(disclosures.map((each) => [digestOf(each.encode(), algorithm), each]));
  if (byDigest.size < disclosures.length) throw new Error('a disclosure twice');
  const hiding = hidingIn(payload, byDigest);
  return { claims: unpackSync(payload, disclosures, digestBytes).unpackedObj as Claims, ...hiding };
};

interface Disclosure {
  readonly salt: unknown;
  readonly key?: string | undefined;
  readonly value?: unknown;
}

/** Levels of JSON: what comes later may go through all of them without asking. */
const DEEPEST = 100;

const RESERVED = new Set(['', '_sd', '...', '__proto__']);

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** What RFC 9901 §7.1 refuses and the library lets pass: a digest twice, a disclosure that nothing names, or of a claim that is there. */
const hidingIn = (payload: Claims, byDigest: ReadonlyMap<string, Disclosure>): Omit<Disclosed, 'claims'> => {
  const seen = new Set<unknown>();
  const hidden: string[] = [];
  let mandate: string | undefined;
  let used = 0;
  let depth = 0;

  const disclosed = (digest: unknown, where: string): Disclosure | null => {
    if (typeof digest !== 'string' || seen.has(digest)) throw new Error('a digest twice, or none');
    seen.add(digest);
    const disclosure = byDigest.get(digest);
    if (disclosure) used += 1;
    else hidden.push(where);
    if (disclosure && where === 'delegate_payload') mandate ??= digest;
    return disclosure ?? null;
  };

  const element = (item: unknown, where: string): void => {
    if (!isObject(item) || Array.isArray(item) || !('...' in item)) {
      walk(item, where);
      return;
    }
    if (Object.keys(item).length > 1) throw new Error('an element that is a digest and more');
    const disclosure = disclosed(item['...'], where);
    if (disclosure?.key !== undefined) throw new Error('a claim disclosed as an element');
    if (disclosure) walk(disclosure.value, where);
  };

  const claim = (digest: unknown, names: Set<string>): void => {
    const disclosure = disclosed(digest, '_sd');
    if (!disclosure) return;
    const { key, value } = disclosure;
    if (typeof key !== 'string' || RESERVED.has(key) || names.has(key)) throw new Error('a claim twice, or no claim');
    names.add(key);
    walk(value, key);
  };

  const walk = (value: unknown, where: string): void => {
    if (!isObject(value)) return;
    if (++depth > DEEPEST) throw new Error('nested too deeply');
    if (Array.isArray(value)) for (const item of value as readonly unknown[]) element(item, where);
    else members(value);
    depth -= 1;
  };

  const members = (value: Claims): void => {
    if ('...' in value) throw new Error('a digest of an element outside of an array');
    const { _sd: digests = [], ...others } = value;
    if (!Array.isArray(digests)) throw new Error('no array of digests');
    const names = new Set(Object.keys(others));
    if (names.has('__proto__')) throw new Error('no claim');
    for (const digest of digests) claim(digest, names);
    for (const [name, member] of Object.entries(others)) walk(member, name);
  };

  walk(payload, '');
  if (used < byDigest.size) throw new Error('a disclosure that nothing names');
  return { hidden, mandate };
};
