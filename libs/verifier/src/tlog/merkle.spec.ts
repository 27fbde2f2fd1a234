import { concat } from '../bytes.js';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  appendLeaf,
  type Edge,
  EMPTY,
  leafHash,
  nodeHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle.js';
import {
  consistencyProof,
  hashesAt,
  hashesFromTiles,
  inclusionProof,
  rootOfPerfect,
  TILE_WIDTH,
  treeRoot,
} from './tiles.js';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The entries of the tests of Certificate Transparency's own log, and the roots of their first 1 to 8 (RFC 6962). */
const ENTRIES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const edgeOf = (leaves: readonly Uint8Array[]): Edge =>
  leaves.reduce((edge, leaf) => appendLeaf(sha256, edge, leaf), EMPTY);

/** MTH as RFC 6962 §2.1 words it: split at the largest power of 2 that is smaller. */
const naiveRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
  const [first] = leaves;
  if (!first) return sha256(new Uint8Array());
  if (leaves.length === 1) return first;
  const middle = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeHash(sha256, naiveRoot(leaves.slice(0, middle)), naiveRoot(leaves.slice(middle)));
};

/** Leaves that are all different, and the tiles of a tree of some of them. */
const LEAVES = Array.from({ length: 1_000 }, (_, n) => sha256(Buffer.from(`leaf ${n}`)));
const readFrom = (size: number) =>
  hashesFromTiles(sha256, size, ({ level, index, width }) => {
    expect(index * TILE_WIDTH + width).toBeLessThanOrEqual(hashesAt(level, size));
    const span = TILE_WIDTH ** level;
    const hashes = Array.from({ length: width }, (_, place) => {
      const first = (index * TILE_WIDTH + place) * span;
      return rootOfPerfect(sha256, concat(...LEAVES.slice(first, first + span)));
    });
    return Promise.resolve(Buffer.concat(hashes));
  });

/** A proof whose first hash is cut, or goes on. */
const resized = ([first = new Uint8Array(), ...rest]: readonly Uint8Array[], length: number): readonly Uint8Array[] => [
  Buffer.concat([first, Buffer.alloc(32)]).subarray(0, length),
  ...rest,
];

const sizes = fc.integer({ min: 1, max: LEAVES.length });

describe('a Merkle tree', () => {
  it('has the roots of the published vectors', () => {
    const leaves = ENTRIES.map((entry) => leafHash(sha256, Buffer.from(entry, 'hex')));
    const roots = ROOTS.map((_, place) => hex(rootOf(sha256, edgeOf(leaves.slice(0, place + 1)))));
    expect(roots).toEqual(ROOTS);
    expect(hex(rootOf(sha256, EMPTY))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('has the published proofs', () => {
    const leaf = leafHash(sha256, new Uint8Array());
    const [root1, root6, root8] = [ROOTS[0], ROOTS[5], ROOTS[7]].map((root) => Buffer.from(root ?? '', 'hex'));
    if (!root1 || !root6 || !root8) throw new Error('no roots');
    const proof = (...hashes: string[]) => hashes.map((hash) => Buffer.from(hash, 'hex'));
    const path = proof(
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    );
    expect(verifyInclusion(sha256, { index: 0, size: 8, root: root8, leaf, proof: path })).toBe(true);
    expect(verifyConsistency(sha256, { size: 1, root: root1 }, { size: 8, root: root8 }, path)).toBe(true);
    const from6 = proof(
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    );
    expect(verifyConsistency(sha256, { size: 6, root: root6 }, { size: 8, root: root8 }, from6)).toBe(true);
  });

  it('has the root that the definition gives, grown leaf by leaf and read from tiles', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const leaves = LEAVES.slice(0, size);
        const root = hex(naiveRoot(leaves));
        expect(hex(rootOf(sha256, edgeOf(leaves)))).toBe(root);
        expect(hex(await treeRoot(sha256, size, readFrom(size)))).toBe(root);
      }),
      { numRuns: 20 },
    );
  });

  it('proves every leaf, and none at another place, in another tree or by another proof', async () => {
    const places = sizes.chain((size) => fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.constant(size)));
    await fc.assert(
      fc.asyncProperty(places, fc.nat(), async ([index, other, size], flipped) => {
        const root = naiveRoot(LEAVES.slice(0, size));
        const leaf = LEAVES[index] ?? root;
        const proof = await inclusionProof(sha256, index, size, readFrom(size));
        const claim = { index, size, root, leaf, proof };
        expect(verifyInclusion(sha256, claim)).toBe(true);
        expect(verifyInclusion(sha256, { ...claim, index: other })).toBe(index === other);
        expect(verifyInclusion(sha256, { ...claim, index: size })).toBe(false);
        expect(verifyInclusion(sha256, { ...claim, root: leafHash(sha256, root) })).toBe(false);
        expect(verifyInclusion(sha256, { ...claim, proof: [...proof, leaf] })).toBe(false);
        if (proof.length === 0) return;
        for (const length of [0, 31, 33, 64])
          expect(verifyInclusion(sha256, { ...claim, proof: resized(proof, length) })).toBe(false);
        expect(verifyInclusion(sha256, { ...claim, proof: proof.slice(1) })).toBe(false);
        const wrong = proof.map((hash, place) => (place === flipped % proof.length ? sha256(hash) : hash));
        expect(verifyInclusion(sha256, { ...claim, proof: wrong })).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('proves that it begins with every tree it once was, and with no other', async () => {
    const pairs = sizes.chain((newer) => fc.tuple(fc.nat(newer), fc.constant(newer)));
    await fc.assert(
      fc.asyncProperty(pairs, fc.nat(), async ([older, newer], flipped) => {
        const [before, after] = [older, newer].map((size) => ({ size, root: naiveRoot(LEAVES.slice(0, size)) }));
        if (!before || !after) throw new Error('no trees');
        const proof = await consistencyProof(sha256, older, newer, readFrom(newer));
        expect(verifyConsistency(sha256, before, after, proof)).toBe(true);
        const fork = { size: older, root: sha256(before.root) };
        expect(verifyConsistency(sha256, fork, after, proof)).toBe(false);
        expect(verifyConsistency(sha256, before, { ...after, root: sha256(after.root) }, proof)).toBe(older === 0);
        expect(verifyConsistency(sha256, before, after, [...proof, fork.root])).toBe(false);
        if (proof.length === 0) return;
        for (const length of [0, 31, 33, 64])
          expect(verifyConsistency(sha256, before, after, resized(proof, length))).toBe(false);
        const wrong = proof.map((hash, place) => (place === flipped % proof.length ? sha256(hash) : hash));
        expect(verifyConsistency(sha256, before, after, wrong)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('has sizes past 32 bits', () => {
    const leaf = leafHash(sha256, new Uint8Array());
    const size = 2 ** 40 + 1;
    const left = sha256(leaf);
    const root = nodeHash(sha256, left, leaf);
    expect(verifyInclusion(sha256, { index: size - 1, size, root, leaf, proof: [left] })).toBe(true);
    expect(verifyInclusion(sha256, { index: 0, size, root, leaf, proof: [left] })).toBe(false);
  });
});
