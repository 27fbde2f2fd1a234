import type { Sha256 } from '../crypto.js';
import { nodeHash, pairHash } from './merkle.js';

/** How many hashes a full tile has, and how many bytes a hash has (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
export const HASH_SIZE = 32;

/** How many levels of the tree a tile spans. */
const TILE_HEIGHT = 8;

/** A tile of the tree: `width` hashes, from the `index * 256`-th on, each the root of `256 ** level` leaves. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 1 to 256; fewer than 256: a partial tile. */
  readonly width: number;
}

/** The path of a tile below the address of its log, `tile/0/x001/x234/067.p/5`. */
export const tilePath = ({ level, ...of }: Tile): string => `tile/${level}/${indexPath(of)}`;

/** The path of the bundle of the entries that the tile of level 0 holds the hashes of. */
export const entriesPath = (of: Omit<Tile, 'level'>): string => `tile/entries/${indexPath(of)}`;

const indexPath = ({ index, width }: Omit<Tile, 'level'>): string => {
  let path = threeDigits(index);
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000)) {
    path = `x${threeDigits(rest)}/${path}`;
  }
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
};

const threeDigits = (value: number): string => String(value % 1_000).padStart(3, '0');

/** Neither a leading group of zeroes nor more digits than a safe integer has. */
const INDEX = /^((?!x000)(?:x\d{3}\/){1,4}|)(\d{3})(?:\.p\/([1-9]\d?\d?))?$/;
const LEVEL = /^(?:0|[1-5]?\d|6[0-3])$/;

/** The tile or bundle that the rest of a path after `tile/` names, `0/x001/067.p/5` or `entries/067`; null: none. */
export const parseTilePath = (path: string): (Omit<Tile, 'level'> & { readonly level: number | 'entries' }) | null => {
  const slash = path.indexOf('/');
  const level = path.slice(0, slash);
  const [, groups, last, width] = INDEX.exec(path.slice(slash + 1)) ?? [];
  if (slash < 0 || groups === undefined || last === undefined) return null;
  if (level !== 'entries' && (!LEVEL.test(level) || String(Number(level)) !== level)) return null;
  const index = Number(groups.replaceAll(/[x/]/g, '') + last);
  const isPartial = width !== undefined;
  if (isPartial && Number(width) >= TILE_WIDTH) return null;
  return {
    level: level === 'entries' ? level : Number(level),
    index,
    width: isPartial ? Number(width) : TILE_WIDTH,
  };
};

/** How many hashes a level of tiles has in a tree. */
export const hashesAt = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/** How many hashes of a tile a tree has: 0 where it does not have the tile at all. */
export const widthIn = (size: number, level: number, index: number): number =>
  Math.max(0, Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH));

/** The hashes of a tile. @throws RangeError where they are not whole hashes */
export const hashesOf = (bytes: Uint8Array): readonly Uint8Array[] => {
  if (bytes.length % HASH_SIZE !== 0) throw new RangeError(`a tile has ${bytes.length} bytes`);
  return Array.from({ length: bytes.length / HASH_SIZE }, (_, place) =>
    bytes.subarray(place * HASH_SIZE, (place + 1) * HASH_SIZE),
  );
};

/** Returns the root of the `index`-th perfect subtree of `2 ** level` leaves. */
export type ReadHash = (level: number, index: number) => Promise<Uint8Array>;

/** Reads hashes of a tree of `size` leaves from its tiles; `readTile` returns the bytes of one. */
export const hashesFromTiles =
  (sha256: Sha256, size: number, readTile: (tile: Tile) => Promise<Uint8Array>): ReadHash =>
  async (level, index) => {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const count = 2 ** (level % TILE_HEIGHT);
    const first = index * count;
    const tile = Math.floor(first / TILE_WIDTH);
    const width = widthIn(size, tileLevel, tile);
    const hashes = await readTile({ level: tileLevel, index: tile, width });
    const has = hashes.length / HASH_SIZE;
    if (has < width) throw new RangeError(`a tile has ${has} hashes instead of ${width}`);
    const start = first % TILE_WIDTH;
    return rootOfPerfect(sha256, hashes.subarray(start * HASH_SIZE, (start + count) * HASH_SIZE));
  };

/** The root of a perfect subtree by its hashes of one level, one after the other: 1, 2, 4 … of them. */
export const rootOfPerfect = (sha256: Sha256, hashes: Uint8Array): Uint8Array => {
  const level = new Uint8Array(hashes);
  let count = hashes.length / HASH_SIZE;
  if (count === 0) throw new RangeError('a subtree without leaves');
  for (; count > 1; count /= 2) {
    if (count % 2 !== 0) throw new RangeError('the subtree is not perfect');
    // The level above takes the place of this one, whose hashes have been read as far as it is written.
    for (let place = 0; place < count / 2; place += 1) {
      const pair = level.subarray(2 * place * HASH_SIZE, 2 * (place + 1) * HASH_SIZE);
      level.set(pairHash(sha256, pair), place * HASH_SIZE);
    }
  }
  return level.subarray(0, HASH_SIZE);
};

export const treeRoot = async (sha256: Sha256, size: number, readHash: ReadHash): Promise<Uint8Array> =>
  size === 0 ? sha256(new Uint8Array()) : rangeRoot(sha256, 0, size, readHash);

/** The hashes that prove that a leaf is in a tree (RFC 6962 §2.1.1, PATH). @throws RangeError where it is not */
export const inclusionProof = async (
  sha256: Sha256,
  index: number,
  size: number,
  readHash: ReadHash,
): Promise<readonly Uint8Array[]> => {
  if (index < 0 || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const proof: Promise<Uint8Array>[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    const isLeft = index < middle;
    proof.push(isLeft ? rangeRoot(sha256, middle, end, readHash) : rangeRoot(sha256, start, middle, readHash));
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  return (await Promise.all(proof)).reverse();
};

/** The hashes that prove that a tree of `newer` leaves begins with that of `older` (RFC 6962 §2.1.2, PROOF). */
export const consistencyProof = async (
  sha256: Sha256,
  older: number,
  newer: number,
  readHash: ReadHash,
): Promise<readonly Uint8Array[]> => {
  if (older < 0 || older > newer) throw new RangeError(`a tree of ${newer} leaves does not begin with one of ${older}`);
  if (older === 0 || older === newer) return [];
  const proof: Promise<Uint8Array>[] = [];
  let [start, end] = [0, newer];
  while (end !== older) {
    const middle = start + largestPowerBelow(end - start);
    const isLeft = older <= middle;
    proof.push(isLeft ? rangeRoot(sha256, middle, end, readHash) : rangeRoot(sha256, start, middle, readHash));
    [start, end] = isLeft ? [start, middle] : [middle, end];
  }
  // Where the older tree is one of the perfect subtrees on the left, its verifier knows the root already.
  if (start > 0) proof.push(rangeRoot(sha256, start, end, readHash));
  return (await Promise.all(proof)).reverse();
};

/** The root of the leaves from `start` to `end`, a range that RFC 6962 splits a tree into. */
const rangeRoot = async (sha256: Sha256, start: number, end: number, readHash: ReadHash): Promise<Uint8Array> => {
  const count = end - start;
  const power = largestPowerBelow(count + 1);
  const left = readHash(Math.log2(power), start / power);
  if (power === count) return left;
  return nodeHash(sha256, await left, await rangeRoot(sha256, start + power, end, readHash));
};

/** The largest power of 2 that is smaller than `count`, which is at least 2. */
const largestPowerBelow = (count: number): number => {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
};
