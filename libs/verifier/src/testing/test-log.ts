import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { AuditedEvent, Json } from '../audited-event.js';
import {
  type About,
  type BundledEvent,
  bundleLine,
  type ByPseudonym,
  type LoggedEvent,
  type Placed,
  type ProvenEvent,
} from '../bundle.js';
import { base64, base64url, hex, utf8 } from '../bytes.js';
import { CHAIN_START, expectedHash, hashBytes } from '../chain.js';
import type { Crypto } from '../crypto.js';
import { formatCheckpoint, markOf } from '../tlog/checkpoint.js';
import { encodeBundle, entryBytes } from '../tlog/entry.js';
import { appendLeaf, EMPTY, leafHash, rootOf, type TreeRoot } from '../tlog/merkle.js';
import {
  COSIGNATURE,
  cosignedMessage,
  ED25519,
  encodeCosignature,
  formatVerifierKey,
  parseNote,
  signatureLine,
  type VerifierKey,
  verifierKey,
} from '../tlog/note.js';
import { hashesAt, hashesFromTiles, inclusionProof, parseTilePath, rootOfPerfect, TILE_WIDTH } from '../tlog/tiles.js';
import { BUNDLE_FORMAT, type BundleFormat } from '../version.js';

/** The verifier's cryptography for tests, of Node. */
export const testCrypto: Crypto = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  verifyEd25519: (publicKey, message, signature) => {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return Promise.resolve(verify(null, message, key, signature));
  },
};

const { sha256 } = testCrypto;

/** A key pair that is the same in every run: its seed is the hash of a name. */
const keyPairOf = (seed: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), sha256(utf8(seed))]), // RFC 8410, section 7
    format: 'der',
    type: 'pkcs8',
  });

/** What is written into a test's log: the chain and the envelope are made here. */
export interface Written {
  readonly stream: string;
  readonly type: string;
  readonly data: Json;
  /** RFC 3339 UTC with milliseconds. */
  readonly at: string;
  readonly holder?: string | null;
  readonly clientId?: string | null;
}

/** A small log of its own: events chained, entered, proven and signed, the same bytes in every run. */
export class TestLog {
  readonly key: VerifierKey;
  private readonly privateKey: KeyObject;
  private readonly events: LoggedEvent<ByPseudonym>[] = [];
  private readonly last = new Map<string, AuditedEvent>();

  /** `isMarked`: whether the entry at a place is of the second form. */
  constructor(
    readonly origin = 'alcada.example/tlog',
    seed = 'a key for tests',
    private readonly isMarked: (index: number) => boolean = () => false,
  ) {
    this.privateKey = keyPairOf(seed);
    const publicKey = createPublicKey(this.privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
    this.key = verifierKey({ name: origin, type: ED25519, publicKey }, sha256);
  }

  /** The key as a line. */
  get vkey(): string {
    return formatVerifierKey(this.key);
  }

  write({ stream, type, data, at, holder = null, clientId = null }: Written): this {
    const before = this.last.get(stream);
    const revision = before ? before.revision + 1 : 0;
    const id = hex(sha256(utf8(`${stream} ${revision}`)));
    const metadata = {
      $causationId: id.slice(0, 16),
      $correlationId: id.slice(0, 32),
      actor: { clientId, holder },
      eventId: [id.slice(0, 8), id.slice(8, 12), `4${id.slice(13, 16)}`, `8${id.slice(17, 20)}`, id.slice(20, 32)].join(
        '-',
      ),
      hash: '',
      occurredAt: at,
      schemaVersion: 1,
    };
    const previous = before ? (hashBytes(before.metadata.hash) ?? CHAIN_START) : CHAIN_START;
    const hash = hex(expectedHash(sha256, previous, { stream, revision, type, data, metadata }));
    const event = { stream, revision, type, data, metadata: { ...metadata, hash } };
    this.last.set(stream, event);
    this.events.push({ ...event, previousHash: hex(previous), pseudonym: pseudonymOf(stream) });
    return this;
  }

  get size(): number {
    return this.events.length;
  }

  checkpoint(size = this.size): string {
    const leaves = this.entries()
      .slice(0, size)
      .map((entry) => leafHash(sha256, entry));
    const root = rootOf(
      sha256,
      leaves.reduce((edge, leaf) => appendLeaf(sha256, edge, leaf), EMPTY),
    );
    return this.signed({ size, root });
  }

  /** The checkpoint of a tree, whether it is this log's or not, signed. */
  signed({ size, root }: TreeRoot): string {
    const text = formatCheckpoint({ origin: this.origin, size, root });
    return `${text}\n${signatureLine({ ...this.key, signature: sign(null, utf8(text), this.privateKey) })}`;
  }

  /** The line by which this log's key, as that of a witness, cosigns a checkpoint of another log. */
  cosignatureOf(checkpoint: string): string {
    const { text } = parseNote(checkpoint);
    const key = verifierKey({ ...this.key, type: COSIGNATURE }, sha256);
    const signature = sign(null, cosignedMessage(1_769_860_800n, text), this.privateKey);
    return signatureLine({ ...key, signature: encodeCosignature(1_769_860_800n, signature) });
  }

  /** A file of the log, by its path: its checkpoint, a bundle of entries or a tile. */
  readonly read = (path: string): Promise<Uint8Array> => {
    if (path === 'checkpoint') return Promise.resolve(utf8(this.checkpoint()));
    const { level, index = 0, width = 0 } = parseTilePath(path.slice('tile/'.length)) ?? {};
    const first = index * TILE_WIDTH;
    const entries = this.entries();
    if (level === 'entries') return Promise.resolve(encodeBundle(entries.slice(first, first + TILE_WIDTH)));
    let hashes = entries.map((entry) => leafHash(sha256, entry));
    for (let below = 0; below < (level ?? 0); below += 1)
      hashes = Array.from({ length: hashesAt(1, hashes.length) }, (_, at) =>
        rootOfPerfect(sha256, Buffer.concat(hashes.slice(at * TILE_WIDTH, (at + 1) * TILE_WIDTH))),
      );
    return Promise.resolve(Buffer.concat(hashes.slice(first, first + width)));
  };

  /** The events of the streams that are wanted, with their proofs. */
  async bundled(
    isWanted: (stream: string) => boolean,
    size = this.size,
  ): Promise<readonly (LoggedEvent<ByPseudonym> & Placed)[]> {
    const leaves = this.entries().map((entry) => leafHash(sha256, entry));
    const readHash = hashesFromTiles(sha256, size, ({ level, index, width }) => {
      if (level > 0) throw new RangeError('a log for tests has at most 256 entries');
      return Promise.resolve(Buffer.concat(leaves.slice(index * TILE_WIDTH, index * TILE_WIDTH + width)));
    });
    const wanted = this.events.flatMap((event, index) =>
      index < size && isWanted(event.stream) ? [{ event, index }] : [],
    );
    return Promise.all(
      wanted.map(async ({ event, index }) => {
        const proof = await inclusionProof(sha256, index, size, readHash);
        return { ...event, index, proof: proof.map(base64) };
      }),
    );
  }

  async bundle(
    about: About,
    isWanted: (stream: string) => boolean,
    { size = this.size, format = BUNDLE_FORMAT }: { readonly size?: number; readonly format?: BundleFormat } = {},
  ): Promise<readonly string[]> {
    const placed = await this.bundled(isWanted, size);
    const events = format === 'alcada.bundle/v1' ? placed : placed.map((event) => this.keyed(event));
    const header = { format, about, checkpoint: this.checkpoint(size), events: events.length } as const;
    return [bundleLine(header), ...events.map(bundleLine)];
  }

  /** An event as a bundle of v2 names its entry. */
  private keyed({ pseudonym, ...event }: LoggedEvent<ByPseudonym> & Placed): BundledEvent {
    const key = base64url(keyOf(event.stream));
    return { ...event, key, ...(!this.isMarked(event.index) && { pseudonym }) };
  }

  /** An event as a receipt names its entry. */
  proven({ pseudonym, ...event }: LoggedEvent<ByPseudonym> & Placed): ProvenEvent & Placed {
    return this.isMarked(event.index) ? { ...event, mark: markIn(event) } : { ...event, pseudonym };
  }

  private entries(): readonly Uint8Array[] {
    return this.events.map((event, index) => {
      const { pseudonym, revision, metadata } = event;
      const { hash } = metadata;
      return entryBytes(this.isMarked(index) ? { mark: markIn(event), hash } : { pseudonym, revision, hash });
    });
  }
}

export const keyOf = (stream: string): Uint8Array =>
  createHmac('sha256', 'another secret for tests').update(stream).digest();

const markIn = ({ stream, revision }: AuditedEvent): string => markOf(sha256, keyOf(stream), revision);

const pseudonymOf = (stream: string): string =>
  createHmac('sha256', 'a secret for tests').update(stream).digest().toString('base64url');

/** The bytes of a file of these lines, each ended by a newline. */
export const fileOf = (lines: readonly string[]): readonly Uint8Array[] => lines.map((line) => utf8(`${line}\n`));
