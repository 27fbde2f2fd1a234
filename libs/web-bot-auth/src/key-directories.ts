import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** A key of a directory. Times are in seconds since 1970. */
export interface DirectoryKey {
  /** null: of a kind that is not read here. */
  readonly key: KeyObject | null;
  readonly notBefore: number;
  readonly expires: number;
}

/** The keys of a directory by their thumbprints. */
export type DirectoryKeys = ReadonlyMap<string, DirectoryKey>;

/** What a host published. */
export interface Directory {
  readonly keys: DirectoryKeys;
  /** When it was fetched, in milliseconds since 1970. */
  readonly fetchedAt: number;
}

/** The key directories of hosts, as a port. */
export abstract class KeyDirectories {
  /** What is in memory and still good; null: nothing is. What is missing or stale is fetched in the background. */
  abstract kept(url: string): Directory | null;

  /**
   * The directory, waiting for it; null where it cannot be had in that time. `after`: one fetched before that instant, in
   * milliseconds since 1970, will not do.
   */
  abstract get(url: string, after: number): Promise<Directory | null>;
}

/** The keys of the RFCs' examples, whose private halves everybody has (draft, Test and Demonstration Keys). */
const PUBLISHED_KEYS = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
]);
const MOST_KEYS = 64;

const time = z.number().nonnegative().optional();
const jwkSet = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.string(),
        crv: z.string().optional(),
        x: z.string().optional(),
        kid: z.string().optional(),
        use: z.string().optional(),
        nbf: time,
        exp: time,
      }),
    )
    .max(MOST_KEYS),
});
type Jwk = z.infer<typeof jwkSet>['keys'][number];

/** The keys that the document of a directory has (RFC 7517 §5); null where it is no directory. */
export const keysIn = (document: unknown): DirectoryKeys | null => {
  const parsed = jwkSet.safeParse(document);
  return parsed.success ? new Map(parsed.data.keys.flatMap(entryOf)) : null;
};

const entryOf = (jwk: Jwk): readonly (readonly [string, DirectoryKey])[] => {
  const { kty, crv, x, kid, use, nbf: notBefore = 0, exp: expires = Infinity } = jwk;
  if (use !== undefined && use !== 'sig') return [];
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) {
    return kid === undefined ? [] : [[kid, { key: null, notBefore, expires }]];
  }
  const thumbprint = thumbprintOf(x);
  // A directory's own label has to be the thumbprint, or the entry is malformed (draft, Key Distribution and Discovery).
  if ((kid !== undefined && kid !== thumbprint) || PUBLISHED_KEYS.has(thumbprint)) return [];
  try {
    return [[thumbprint, { key: createPublicKey({ key: { kty, crv, x }, format: 'jwk' }), notBefore, expires }]];
  } catch {
    return [];
  }
};

/** The thumbprint of an Ed25519 key by its public half (RFC 7638, RFC 8037 appendix A.3). */
const thumbprintOf = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
