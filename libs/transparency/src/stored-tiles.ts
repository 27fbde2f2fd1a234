import type { CollectionSpec, ReadModelStore } from '#documents';
import { type Position, positionOf } from '#event-store';
import { HASH_SIZE, TILE_WIDTH } from '#verifier';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** The tiles of the tree. They can be built again from the log, and so lie among the read models. */
export const TLOG_TILES: CollectionSpec = { name: 'tlog-tiles', indexes: [{ fields: ['first'] }] };

/** How many full tiles are kept in memory, of 8 KB each: they never change. */
const KEPT = 128;

/** A tile as it is stored: as wide as the tree has it. */
export interface StoredTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Uint8Array;
  /** Of a tile of level 0: where in the log its entries stand. */
  readonly positions: readonly Position[];
}

/** How far the stored tiles reach. */
export interface Grown {
  readonly size: number;
  /** Place of the last event that was looked at. */
  readonly position: Position;
  /** After which place in the log the events of these tiles have marks. */
  readonly markedAfter: Position;
}

const storedTile = z.object({
  hashes: z.string(),
  /** Position of the first entry, which finds the tile of an event; null in higher levels. */
  first: z.string().nullable(),
  /** How far after it each entry stands. */
  offsets: z.array(z.number()),
});

/** `markedAfter`: absent where none of them has. */
const storedGrown = z.object({ size: z.number(), markedAfter: z.string().optional() });

/** The document that says how far the tiles reach. Written after them, so that what it says is there. */
const GROWN = 'grown';

const idOf = ({ level, index }: Pick<StoredTile, 'level' | 'index'>): string => `${level}-${index}`;

/** The tiles with their tree's position: of two builders the further is right (docs/consistency.md, rule 24). */
export class StoredTiles {
  private readonly full = new LRUCache<string, StoredTile>({ max: KEPT });

  constructor(
    private readonly store: ReadModelStore,
    private readonly spec: CollectionSpec = TLOG_TILES,
  ) {}

  prepare(): Promise<void> {
    return this.store.prepare(this.spec);
  }

  /** How far the tiles reach; null: none was stored. */
  async grown(): Promise<Grown | null> {
    const [found] = await this.store.getGuarded(this.spec.name, [GROWN]);
    if (!found) return null;
    const { position } = found;
    const { size, markedAfter = position } = storedGrown.parse(found.body);
    return { size, position, markedAfter };
  }

  /** A tile, if it is at least `width` hashes wide. */
  async get(level: number, index: number, width: number): Promise<StoredTile | null> {
    const id = idOf({ level, index });
    const known = this.full.get(id);
    if (known) return known;
    const [found] = await this.store.getGuarded(this.spec.name, [id]);
    const tile = found && tileOf(level, index, found.body);
    if (!tile || tile.hashes.length < width * HASH_SIZE) return null;
    if (tile.hashes.length === TILE_WIDTH * HASH_SIZE) this.full.set(id, tile);
    return tile;
  }

  /** The tile of level 0 in which the entry at a position stands, if it has one; null where none begins that early. */
  async around(position: Position): Promise<StoredTile | null> {
    for (const tile of this.full.values()) {
      const [first, last] = [tile.positions[0], tile.positions.at(-1)];
      if (first !== undefined && last !== undefined && first <= position && position <= last) return tile;
    }
    const [found] = await this.store.find<unknown>(this.spec.name, {
      where: [{ field: 'first', atLeast: '', below: `${position}~` }],
      sort: { field: 'first', direction: 'descending' },
      limit: 1,
    });
    return found ? tileOf(0, Number(found.id.slice(2)), found.body) : null;
  }

  /** Stores tiles, each in the place of a narrower one, and then how far they reach. */
  async put(tiles: readonly StoredTile[], { size, position, markedAfter }: Grown): Promise<void> {
    await this.write(
      tiles.map((tile) => [idOf(tile), bodyOf(tile)]),
      position,
    );
    await this.write([[GROWN, { size, markedAfter }]], position);
  }

  /** Forgets what is in memory, where somebody else has dropped the tiles. */
  forget(): void {
    this.full.clear();
  }

  /** Drops all tiles: they are to be built again. Their collection stays, since others read them meanwhile. */
  async drop(): Promise<void> {
    this.forget();
    await this.store.clear(this.spec.name);
  }

  /** Writes documents unless they stand at this position or a later one. Those that exist are replaced. */
  private async write(documents: readonly (readonly [string, object])[], position: Position): Promise<void> {
    const ids = documents.map(([id]) => id);
    const stored = new Map((await this.store.getGuarded(this.spec.name, ids)).map((one) => [one.id, one.position]));
    const writes = documents
      .filter(([id]) => (stored.get(id) ?? '') < position)
      .map(([id, body]) => ({ id, body, position, isNew: !stored.has(id) }));
    if (writes.length === 0) return;
    const ahead = await this.store.putGuarded(this.spec.name, writes);
    // Another builder was faster. What it wrote may still be less than this.
    if (ahead.length > 0) await this.write(documents, position);
  }
}

const bodyOf = ({ hashes, positions }: StoredTile): z.infer<typeof storedTile> => {
  const [first] = positions;
  return {
    hashes: Buffer.from(hashes).toString('base64'),
    first: first ?? null,
    offsets: first === undefined ? [] : positions.map((position) => Number(BigInt(position) - BigInt(first))),
  };
};

const tileOf = (level: number, index: number, body: unknown): StoredTile => {
  const { hashes, first, offsets } = storedTile.parse(body);
  let positions: readonly Position[] | null = null;
  return {
    level,
    index,
    hashes: Buffer.from(hashes, 'base64'),
    // Most who read a tile want its hashes alone.
    get positions() {
      const place = BigInt(first ?? 0);
      return (positions ??= offsets.map((offset) => positionOf(place + BigInt(offset))));
    },
  };
};
