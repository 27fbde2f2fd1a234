import { BEGINNING, type EventStore, type Position } from '#event-store';
import { type Clock, TimeSlices } from '#kernel';
import { HASH_SIZE, hashesAt, rootOfPerfect, TILE_WIDTH } from '#verifier';
import { entriesAfter, leafOf } from './log-entries.js';
import { nodeCrypto } from './node-crypto.js';
import type { Pseudonyms } from './pseudonyms.js';
import type { Grown, StoredTiles } from './stored-tiles.js';

const { sha256 } = nodeCrypto;

/** After how many entries the tiles are stored, where there is much to catch up with: 32 full ones. */
const STORED_AFTER = 8_192;

/** The rightmost tile of a level, which is not full yet. */
interface OpenTile {
  readonly level: number;
  readonly index: number;
  /** How many hashes it has, of those that there is room for. */
  width: number;
  readonly hashes: Uint8Array;
  readonly positions: Position[];
}

interface Tree {
  size: number;
  position: Position;
  markedAfter: Position;
  readonly open: OpenTile[];
  readonly changed: Set<OpenTile>;
}

export interface TreeGrowing {
  /** Builds the tree up to the log's end, with marks after a place; returns how far. One call at a time. */
  grow(markedAfter: Position): Promise<Grown>;
  /** Builds it again at the next call, from the beginning of the log. */
  startOver(): Promise<void>;
  stop(): Promise<void>;
}

/** What the builder works with. */
export interface TreeParts {
  readonly events: Pick<EventStore, 'readPlaces'>;
  readonly tiles: StoredTiles;
  readonly pseudonyms: Pseudonyms;
  readonly clock: Clock;
}

/** Builds the tiles from the log alone, so any number of builders may run and what is lost is built again. */
export class TreeBuilder implements TreeGrowing {
  private tree: Tree | null = null;
  private readonly slices: TimeSlices;
  private isStopping = false;

  constructor(private readonly parts: TreeParts) {
    this.slices = new TimeSlices(parts.clock);
  }

  async grow(markedAfter: Position): Promise<Grown> {
    try {
      let tree = (this.tree ??= await this.load());
      if (!hasSameForms(tree, markedAfter)) {
        await this.startOver();
        tree = this.tree = await this.load();
      }
      tree.markedAfter = markedAfter;
      await this.readOn(tree);
      return { size: tree.size, position: tree.position, markedAfter };
    } catch (error) {
      this.tree = null; // it may be ahead of what is stored
      throw error;
    }
  }

  async startOver(): Promise<void> {
    this.tree = null;
    await this.parts.tiles.drop();
  }

  stop(): Promise<void> {
    this.isStopping = true;
    return Promise.resolve();
  }

  private async readOn(tree: Tree): Promise<void> {
    const { markedAfter } = tree;
    let stored = tree.size;
    for await (const { entries, upTo } of entriesAfter({ ...this.parts, markedAfter }, tree.position)) {
      for (const entry of entries) {
        while (this.slices.isOver()) await this.slices.next();
        append(tree, leafOf(entry), entry.position);
      }
      tree.position = upTo;
      if (tree.size - stored >= STORED_AFTER) {
        await this.store(tree);
        stored = tree.size;
      }
      if (this.isStopping) break;
    }
    if (tree.size > stored) await this.store(tree);
  }

  private async store(tree: Tree): Promise<void> {
    const tiles = [...tree.changed].map((tile) => ({
      ...tile,
      hashes: tile.hashes.subarray(0, tile.width * HASH_SIZE),
    }));
    await this.parts.tiles.put(tiles, tree);
    tree.changed.clear();
  }

  /** The tree as the stored tiles have it. Where a tile is missing, all are built again. */
  private async load(): Promise<Tree> {
    const { tiles } = this.parts;
    const grown = (await tiles.grown()) ?? { size: 0, position: BEGINNING, markedAfter: BEGINNING };
    const open: OpenTile[] = [];
    for (let level = 0; hashesAt(level, grown.size) > 0; level += 1) {
      const hashes = hashesAt(level, grown.size);
      const [index, width] = [Math.floor(hashes / TILE_WIDTH), hashes % TILE_WIDTH];
      const stored = width === 0 ? null : await tiles.get(level, index, width);
      if (width > 0 && !stored) {
        await tiles.drop();
        return this.load();
      }
      const tile = openTile(level, index);
      tile.width = width;
      tile.hashes.set(stored?.hashes.subarray(0, width * HASH_SIZE) ?? []);
      tile.positions.push(...(stored?.positions.slice(0, width) ?? []));
      open.push(tile);
    }
    return { ...grown, open, changed: new Set() };
  }
}

/** Whether every entry that a tree has is of the form that it has where marks begin at this place. */
const hasSameForms = ({ position, markedAfter }: Tree, place: Position): boolean =>
  markedAfter === place || (position <= markedAfter && position <= place);

const openTile = (level: number, index: number): OpenTile => ({
  level,
  index,
  width: 0,
  hashes: new Uint8Array(TILE_WIDTH * HASH_SIZE),
  positions: [],
});

/** Adds a leaf, and to each level above a tile that became full by it the root of that tile. */
const append = (tree: Tree, leaf: Uint8Array, position: Position): void => {
  let hash = leaf;
  for (let level = 0; ; level += 1) {
    const tile = (tree.open[level] ??= openTile(level, 0));
    tile.hashes.set(hash, tile.width * HASH_SIZE);
    tile.width += 1;
    if (level === 0) tile.positions.push(position);
    tree.changed.add(tile);
    if (tile.width < TILE_WIDTH) break;
    hash = rootOfPerfect(sha256, tile.hashes);
    tree.open[level] = openTile(level, tile.index + 1);
  }
  tree.size += 1;
};
