import type { Sha256 } from '../crypto.js';

/** The hash of an entry in the tree: SHA-256(0x00 ‖ entry) (RFC 6962 §2.1). */
export const leafHash = (sha256: Sha256, entry: Uint8Array): Uint8Array => {
  const prefixed = new Uint8Array(1 + entry.length);
  prefixed.set(entry, 1);
  return sha256(prefixed);
};

/** The hash of two subtrees put together: SHA-256(0x01 ‖ left ‖ right) (RFC 6962 §2.1). */
export const nodeHash = (sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array => {
  PAIR.set(left, 1);
  PAIR.set(right, 33);
  return sha256(PAIR);
};

/** The same of two subtrees whose hashes lie one after the other. */
export const pairHash = (sha256: Sha256, hashes: Uint8Array): Uint8Array => {
  PAIR.set(hashes, 1);
  return sha256(PAIR);
};

/** What nodes are hashed in. A hash is taken at once, so that one place serves for all: trees have millions of nodes. */
const PAIR = Uint8Array.of(1, ...new Array<number>(64).fill(0));

/** All that has to be known of a tree so that it can grow, and to know its root. */
export interface Edge {
  readonly size: number;
  /** The roots of its perfect subtrees, the largest first: one for each bit of `size` that is 1. */
  readonly roots: readonly Uint8Array[];
}

/** The edge of a tree without leaves. */
export const EMPTY: Edge = { size: 0, roots: [] };

/** The edge once a leaf (its hash) was appended. */
export const appendLeaf = (sha256: Sha256, { size, roots }: Edge, leaf: Uint8Array): Edge => {
  const grown = [...roots];
  let last = leaf;
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) last = nodeHash(sha256, grown.pop() ?? last, last);
  grown.push(last);
  return { size: size + 1, roots: grown };
};

/** The root of a tree; of one without leaves SHA-256 of nothing (RFC 6962 §2.1). */
export const rootOf = (sha256: Sha256, { roots }: Edge): Uint8Array =>
  roots.length === 0 ? sha256(new Uint8Array()) : roots.reduceRight((right, left) => nodeHash(sha256, left, right));

export const isSameHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, place) => byte === other[place]);

/** What an inclusion proof claims. */
export interface Inclusion {
  /** The place of the leaf; the first is 0. */
  readonly index: number;
  /** How many leaves the tree has, and its root. */
  readonly size: number;
  readonly root: Uint8Array;
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Whether a leaf stands at its index in a tree (RFC 9162 §2.1.3.2, which says what RFC 6962 §2.1.1 leaves to the reader). */
export const verifyInclusion = (sha256: Sha256, { index, size, root, leaf, proof }: Inclusion): boolean => {
  if (!isCount(index) || !isCount(size) || index >= size || !proof.every(isHash)) return false;
  let [place, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sha256, sibling, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      hash = nodeHash(sha256, hash, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSameHash(hash, root);
};

export interface TreeRoot {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the tree `newer` begins with all of the tree `older` (RFC 9162 §2.1.4.2). Any tree begins with the empty one. */
export const verifyConsistency = (
  sha256: Sha256,
  older: TreeRoot,
  newer: TreeRoot,
  proof: readonly Uint8Array[],
): boolean => {
  if (!isCount(older.size) || !isCount(newer.size) || older.size > newer.size || !proof.every(isHash)) return false;
  if (older.size === newer.size) return proof.length === 0 && isSameHash(older.root, newer.root);
  if (older.size === 0) return proof.length === 0 && isSameHash(older.root, sha256(new Uint8Array()));
  let [place, last] = [older.size - 1, newer.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  // Where the older tree is perfect its root is the first hash, and is left out of the proof.
  const [first, ...rest] = place === 0 ? [older.root, ...proof] : proof;
  if (!first) return false;
  let [before, after] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      before = nodeHash(sha256, sibling, before);
      after = nodeHash(sha256, sibling, after);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      after = nodeHash(sha256, after, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSameHash(before, older.root) && isSameHash(after, newer.root);
};

/** Of any other length it would be hashed with what lay there before it, or cut. */
const isHash = ({ length }: Uint8Array): boolean => length === 32;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Sizes pass 2^31, where shifting ends. */
const half = (value: number): number => Math.floor(value / 2);
