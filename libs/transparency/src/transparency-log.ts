import { BEGINNING, type EventStore, type Position, type StoredEvent } from '#event-store';
import { KeyedMutex, SystemClock, TimeSlices, Unavailable } from '#kernel';
import {
  type ByKey,
  type ByMark,
  type ByPseudonym,
  consistencyProof,
  encodeBundle,
  formatCheckpoint,
  formatProof,
  formatVerifierKey,
  HASH_SIZE,
  hashesFromTiles,
  inclusionProof,
  type ReadHash,
  type Tile,
  TILE_WIDTH,
  type TreeRoot,
  utf8,
  widthIn,
} from '#verifier';
import { LRUCache } from 'lru-cache';
import type { Cosignatures, WitnessedTree } from './cosignatures.js';
import type { Heads } from './head.js';
import { entriesAfter } from './log-entries.js';
import type { TlogKeys } from './keys.js';
import { nodeCrypto } from './node-crypto.js';
import type { Pseudonyms } from './pseudonyms.js';
import type { StoredTile, StoredTiles } from './stored-tiles.js';
import type { OfferedHead } from './witnesses.js';

const { sha256 } = nodeCrypto;

/** How many bundles of entries are kept in memory, of at most 33 KB each: crawlers ask for the same ones. */
const BUNDLES = 64;

/** How many hashes one reader of a tree keeps at most, of what it has hashed already. */
const HASHES = 8_192;

/** Of all who prove or find much, such as the thousands of events of a bundle: they must not stop the loop. */
const slices = new TimeSlices(new SystemClock());

/** What is sealed: the tree, and the note that its owner signed. */
export interface Sealed {
  readonly size: number;
  readonly root: Uint8Array;
  /** The signed checkpoint, with the cosignatures there are. */
  readonly checkpoint: string;
  /** After which place in the log events have marks. */
  readonly markedAfter: Position;
}

/** An event has no place in a sealed tree yet. A second later it has. */
export class NotSealed extends Unavailable {
  override readonly name = 'NotSealed';
  override readonly isForeseen = true;
  override readonly retryAfter = 1;
}

export interface TransparencyLogParts {
  readonly events: EventStore;
  readonly heads: Pick<Heads, 'read'>;
  readonly tiles: StoredTiles;
  readonly pseudonyms: Pseudonyms;
  readonly keys: Pick<TlogKeys, 'origin' | 'sign' | 'verifierKeys'>;
  /** Where there are witnesses: which tree is shown, and what they say of it. */
  readonly cosignatures?: Pick<Cosignatures, 'shown'> | null;
}

/** The transparency log for who reads it: all of the sealed head, and never of a tree that grows past it (rule 33). */
export class TransparencyLog {
  private readonly bundles = new LRUCache<number, readonly Uint8Array[]>({ max: BUNDLES });
  private readonly reading = new KeyedMutex();

  constructor(private readonly parts: TransparencyLogParts) {}

  /** What is sealed and shown now: the head, or the last cosigned tree. Null before the first entry. @throws DocumentsUnavailable */
  async sealed(): Promise<Sealed | null> {
    const head = await this.parts.heads.read();
    if (!head) return null;
    const tree = await this.shown(head);
    const signed = await this.signed(tree);
    return { ...signed, checkpoint: signed.checkpoint + tree.lines, markedAfter: head.markedAfter };
  }

  /** The head as it is offered to witnesses; null before the first entry. @throws DocumentsUnavailable */
  async offered(): Promise<OfferedHead | null> {
    const head = await this.parts.heads.read();
    if (!head) return null;
    const { size, root, checkpoint: note } = await this.signed(head);
    return { size, root, note, since: (older) => consistencyProof(sha256, older, size, this.readHash(size)) };
  }

  /** Index of an event's entry; null while it is not sealed, and for agent traffic, which never is. */
  async indexOf(position: Position): Promise<number | null> {
    const [index = null] = await this.indexesOf([position]);
    return index;
  }

  /** The same of many positions in the order of the log, where those that stand together are found together. */
  async indexesOf(positions: readonly Position[]): Promise<readonly (number | null)[]> {
    const { heads, tiles } = this.parts;
    const head = await heads.read();
    const indexes: (number | null)[] = [];
    let tile: StoredTile | null = null;
    for (const position of positions) {
      while (slices.isOver()) await slices.next();
      if (!tile?.positions.includes(position)) tile = await tiles.around(position);
      const place = tile?.positions.indexOf(position) ?? -1;
      const index = (tile?.index ?? 0) * TILE_WIDTH + place;
      indexes.push(place >= 0 && head && index < head.size ? index : null);
    }
    return indexes;
  }

  /** The proof of an entry as a text of its own (C2SP tlog-proof). @throws NotSealed */
  async prove(index: number): Promise<string> {
    const sealed = await this.sealed();
    if (!sealed || index >= sealed.size) throw new NotSealed(`entry ${index} is not sealed yet`);
    const hashes = await this.inclusion(index, sealed.size);
    return formatProof({ extra: null, index, hashes, checkpoint: sealed.checkpoint });
  }

  /** The hashes that prove an entry in the tree of a size that is sealed. @throws NotSealed where its tiles are being built */
  inclusion(index: number, size: number): Promise<readonly Uint8Array[]> {
    return this.inclusions(size)(index);
  }

  /** As `inclusion`, of many entries of one tree: what their proofs have in common is hashed once. */
  inclusions(size: number): (index: number) => Promise<readonly Uint8Array[]> {
    const readHash = this.readHash(size);
    return async (index) => {
      while (slices.isOver()) await slices.next();
      return inclusionProof(sha256, index, size, readHash);
    };
  }

  /** Reads hashes of the tree of a size from the stored tiles, and keeps them. */
  readHash(size: number): ReadHash {
    // Of a tile that is not full, several hashes are asked for, and it is in no memory.
    const reading = new Map<string, Promise<Uint8Array>>();
    const read = async (tile: Tile): Promise<Uint8Array> => {
      const bytes = await this.tileBytes(tile);
      if (!bytes) throw new NotSealed('the tiles of the log are being built');
      return bytes;
    };
    const readHash = hashesFromTiles(sha256, size, (tile) =>
      kept(reading, `${tile.level}-${tile.index}`, () => read(tile)),
    );
    const hashes = new Map<string, Promise<Uint8Array>>();
    return (level, index) => {
      if (hashes.size === HASHES) {
        hashes.clear();
        reading.clear();
      }
      return kept(hashes, `${level}-${index}`, () => readHash(level, index));
    };
  }

  entryOf(event: StoredEvent, { markedAfter }: Pick<Sealed, 'markedAfter'>): Uint8Array {
    return utf8(this.parts.pseudonyms.entryOf({ ...event, hash: event.metadata.hash }, markedAfter));
  }

  /** What names the entry of a sealed event in a bundle, whose reader finds all entries of its stream by it. */
  keyedNameOf(event: StoredEvent, { markedAfter }: Pick<Sealed, 'markedAfter'>): ByKey {
    return this.parts.pseudonyms.keyedNameOf(event, markedAfter);
  }

  /** What names the entry of a sealed event in a receipt, whose reader finds no other by it. @throws NotSealed */
  async nameOf(event: StoredEvent): Promise<ByPseudonym | ByMark> {
    const head = await this.parts.heads.read();
    if (!head) throw new NotSealed('nothing is sealed yet');
    return this.parts.pseudonyms.nameOf(event, head.markedAfter);
  }

  /** The lines of the keys that sign now, as a verifier is given them: two during a rotation. */
  async key(): Promise<string> {
    const keys = await this.parts.keys.verifierKeys();
    return keys.map((key) => `${formatVerifierKey(key)}\n`).join('');
  }

  /** The bytes of a tile of the tree that is shown; null where it has none. @throws NotSealed where it is being built */
  async tile(tile: Tile): Promise<Uint8Array | null> {
    if (!(await this.isSealed(tile))) return null;
    const bytes = await this.tileBytes(tile);
    if (!bytes) throw new NotSealed('the tiles of the log are being built');
    return bytes;
  }

  /** The entries that the hashes of a tile of level 0 are of, made from the log; null where the tree that is shown has none. */
  async entries({ index, width }: Omit<Tile, 'level'>): Promise<Uint8Array | null> {
    const head = await this.parts.heads.read();
    if (!head || widthIn((await this.shown(head)).size, 0, index) < width) return null;
    const sealed = widthIn(head.size, 0, index);
    // All that are sealed are read, and by one for all who ask: between them the log may hold traffic without end.
    const entries = await this.reading.take(`${index}`, async () => {
      const known = this.bundles.get(index);
      if (known && known.length >= width) return known;
      const read = await this.read(index, sealed, head.markedAfter);
      this.bundles.set(index, read);
      return read;
    });
    return encodeBundle(entries.slice(0, width));
  }

  private async signed({ size, root }: TreeRoot): Promise<Omit<Sealed, 'markedAfter'>> {
    const { keys } = this.parts;
    const text = formatCheckpoint({ origin: keys.origin, size, root });
    return { size, root, checkpoint: `${text}\n${await keys.sign(text)}` };
  }

  private async isSealed({ level, index, width }: Tile): Promise<boolean> {
    const head = await this.parts.heads.read();
    return head !== null && widthIn((await this.shown(head)).size, level, index) >= width;
  }

  /** The tree that is served where this is the head: its checkpoint covers all that is served. */
  private async shown(head: TreeRoot): Promise<WitnessedTree> {
    return (await this.parts.cosignatures?.shown(head)) ?? { ...head, lines: '' };
  }

  private async tileBytes({ level, index, width }: Tile): Promise<Uint8Array | null> {
    const tile = await this.parts.tiles.get(level, index, width);
    return tile && tile.hashes.subarray(0, width * HASH_SIZE);
  }

  /** Reads entries from the log, after the place where the tile before them ends. */
  private async read(index: number, width: number, markedAfter: Position): Promise<readonly Uint8Array[]> {
    const { tiles } = this.parts;
    const before = index === 0 ? BEGINNING : (await tiles.get(0, index - 1, TILE_WIDTH))?.positions.at(-1);
    if (before === undefined) throw new NotSealed('the tiles of the log are being built');
    const found: Uint8Array[] = [];
    for await (const { entries } of entriesAfter({ ...this.parts, markedAfter }, before)) {
      found.push(...entries.slice(0, width - found.length).map(({ text }) => utf8(text)));
      if (found.length === width) return found;
    }
    throw new NotSealed('the log ends before its tiles do');
  }
}

const kept = <Value>(values: Map<string, Value>, id: string, make: () => Value): Value => {
  const value = values.get(id) ?? make();
  values.set(id, value);
  return value;
};
