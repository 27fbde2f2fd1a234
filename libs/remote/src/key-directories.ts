import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { DocumentUnread, type RemoteDocument, type RemoteDocuments } from './remote-documents.port.js';
import { millisecondsOf } from '#kernel';
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

export interface Directory {
  readonly keys: DirectoryKeys;
  /** When it was fetched, in milliseconds since 1970. */
  readonly fetchedAt: number;
}

/** A directory has to be served as one (draft, Directory Format). */
const MEDIA_TYPE = 'application/http-message-signatures-directory+json';
/** Fetches that reads may have under way. They are an eighth of all that may be, so that others find a place. */
const IN_BACKGROUND = 8;
/** And those that writes wait for: a quarter. One that signs by many slow hosts keeps no client from its document. */
const AWAITED = 16;

/** The key directories of hosts, fetched as all that strangers name is. */
export class KeyDirectories {
  private readonly read = new WeakMap<RemoteDocument, Directory | null>();
  private readonly background = new Set<string>();
  private readonly awaited = new Set<string>();

  constructor(private readonly documents: RemoteDocuments) {}

  /** What is in memory and fresh; null: no directory is. */
  kept(url: string): Directory | null {
    const known = this.documents.kept(url);
    return known && this.directoryIn(known);
  }

  /** The directory, waited for; null: none, or it cannot be had. @param noOlderThan milliseconds, as of `RemoteDocuments` */
  async get(url: string, noOlderThan?: number): Promise<Directory | null> {
    if (!this.awaited.has(url) && this.awaited.size >= AWAITED) return null;
    this.awaited.add(url);
    try {
      return this.directoryIn(await this.documents.get(url, noOlderThan));
    } catch (error) {
      if (error instanceof DocumentUnread) return null;
      throw error;
    } finally {
      this.awaited.delete(url);
    }
  }

  /** Has it fetched for later requests, unless enough are being fetched. Nobody waits for it. */
  ask(url: string, noOlderThan?: number): void {
    if (this.background.has(url) || this.background.size >= IN_BACKGROUND) return;
    this.background.add(url);
    const end = () => void this.background.delete(url);
    this.documents.get(url, noOlderThan).then(end, end);
  }

  private directoryIn(document: RemoteDocument): Directory | null {
    const known = this.read.get(document);
    if (known !== undefined) return known;
    const keys = document.mediaType === MEDIA_TYPE ? keysIn(document.body) : null;
    const directory = keys && { keys, fetchedAt: millisecondsOf(document.fetchedAt) };
    this.read.set(document, directory);
    return directory;
  }
}

/** The keys of the RFCs' examples: everybody has their private halves (draft, Test and Demonstration Keys). */
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
