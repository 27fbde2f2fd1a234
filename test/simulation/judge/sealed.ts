import { createHash, createHmac } from 'node:crypto';
import type { End, Transparency } from '../end.js';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const [LEAF, NODE] = [Buffer.of(0), Buffer.of(1)];
/** Hashes a tile (C2SP tlog-tiles). */
const WIDTH = 256;

/** What is wrong with the transparency log: roots and tiles of the log's own events (RFC 6962, 2.1), and all sealed. */
export const sealedFindings = ({ log, transparency }: End): readonly string[] => {
  if (transparency === null) return [];
  const { heads, tiles, keyOf } = transparency;
  const found: string[] = [];
  const sealed = log.filter(({ stream }) => !stream.startsWith('traffic-'));
  const tree = new Tree(
    sealed.map(({ stream, revision, metadata }) => {
      const mark = createHmac('sha256', keyOf(stream)).update(String(revision)).digest('base64url');
      return sha256(LEAF, Buffer.from(`alcada.event/v2\n${mark}\n${metadata.hash}\n`));
    }),
  );
  let before = 0;
  for (const { size, root, position } of heads) {
    if (size > sealed.length) {
      found.push(`a tree of ${size} was sealed, of a log of ${sealed.length}`);
      continue;
    }
    if (size < before) found.push(`a tree of ${size} was sealed after one of ${before}`);
    before = size;
    if (tree.root(0, size).toString('base64') !== root) found.push(`the tree of ${size} has another root`);
    const [last, following] = [sealed[size - 1]?.position ?? '', sealed[size]?.position ?? '~'];
    if (position < last || position >= following) found.push(`the tree of ${size} reaches to ${position}`);
  }
  if (before !== sealed.length) found.push(`the last tree has ${before} of ${sealed.length} entries`);
  return [...found, ...tileFindings(tiles, tree)].map((finding) => `sealed: ${finding}`);
};

const tileFindings = (tiles: Transparency['tiles'], tree: Tree): readonly string[] => {
  const found: string[] = [];
  for (const [id, body] of tiles) {
    const [, level, index] = /^(\d+)-(\d+)$/.exec(id) ?? [];
    if (level === undefined || index === undefined) continue; // how far they reach
    const { hashes = '' } = body as { readonly hashes?: string };
    const bytes = Buffer.from(hashes, 'base64');
    const span = WIDTH ** Number(level);
    for (let place = 0; place < bytes.length / 32; place += 1) {
      const from = (Number(index) * WIDTH + place) * span;
      const isSo =
        from + span <= tree.size && tree.root(from, span).equals(bytes.subarray(place * 32, place * 32 + 32));
      if (!isSo) found.push(`tile ${id} has another hash at ${place}`);
    }
  }
  return found;
};

/** A Merkle tree as RFC 6962 words it: split at the largest power of two that is smaller. */
class Tree {
  private readonly known = new Map<string, Buffer>();

  constructor(private readonly leaves: readonly Buffer[]) {}

  get size(): number {
    return this.leaves.length;
  }

  /** The root of `count` leaves, from one on. */
  root(from: number, count: number): Buffer {
    if (count === 0) return sha256();
    if (count === 1) return this.leaves[from] ?? sha256();
    const place = `${from} ${count}`;
    const known = this.known.get(place);
    if (known) return known;
    let half = 1;
    while (half * 2 < count) half *= 2;
    const root = sha256(NODE, this.root(from, half), this.root(from + half, count - half));
    this.known.set(place, root);
    return root;
  }
}
