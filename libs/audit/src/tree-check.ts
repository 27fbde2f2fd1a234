import type { Position, RawEvent } from '#event-store';
import { nodeCrypto, type Pseudonyms, type StoredTiles } from '#transparency';
import {
  appendLeaf,
  type Breach,
  type Checkpoint,
  type Edge,
  EMPTY,
  HASH_SIZE,
  isSameHash,
  leafHash,
  rootOf,
  TILE_WIDTH,
  utf8,
} from '#verifier';

const { sha256 } = nodeCrypto;

/** A tree that the log has to begin with, and the rule that is broken where it does not. */
export interface ExpectedTree extends Pick<Checkpoint, 'size' | 'root'> {
  /** `sealed`: the head that the service signs; `checkpoint`: one that somebody kept elsewhere. */
  readonly rule: 'sealed' | 'checkpoint';
  readonly name: string;
}

interface StoredEntry {
  readonly position: string;
  readonly hash: Uint8Array;
}

const LISTED = 100;

/** Rebuilds the tree and compares it with signed ones. Stored tiles only name the event that differs; roots decide. */
export class TreeCheck {
  private edge: Edge = EMPTY;
  private readonly expected: ExpectedTree[];
  private index = 0;
  private tile: readonly StoredEntry[] = [];
  private compared = 0;
  private differing = 0;

  constructor(
    private readonly pseudonyms: Pseudonyms,
    private readonly tiles: Pick<StoredTiles, 'get'>,
    /** How many entries the stored tiles are compared with: as many as are sealed. */
    private readonly sealed: number,
    /** After which place in the log events have marks. */
    private readonly markedAfter: Position,
    expected: readonly ExpectedTree[],
  ) {
    this.expected = expected.toSorted((one, other) => one.size - other.size);
  }

  /** The next event of the log that has an entry: all but agent traffic. */
  async next({ stream, revision, position }: RawEvent, hash: string): Promise<readonly Breach[]> {
    const leaf = leafHash(
      sha256,
      utf8(this.pseudonyms.entryOf({ stream, revision, hash, position }, this.markedAfter)),
    );
    const found = [...this.reached()];
    this.edge = appendLeaf(sha256, this.edge, leaf);
    if (this.differing < LISTED) found.push(...(await this.compare(leaf, { stream, revision, position })));
    return found;
  }

  end(): readonly Breach[] {
    const found = [...this.reached()];
    for (const { name, size } of this.expected.splice(0)) {
      const message = `${name} has ${size} entries, and the log has ${this.edge.size}: its tail was cut`;
      found.push({ rule: 'cut', stream: 'log', revision: null, message });
    }
    return found;
  }

  private reached(): readonly Breach[] {
    const found: Breach[] = [];
    for (let [next] = this.expected; next && next.size <= this.edge.size; [next] = this.expected) {
      this.expected.shift();
      const { rule, name, size, root } = next;
      if (isSameHash(rootOf(sha256, this.edge), root)) continue;
      const message = `the first ${size} entries of the log are not those of ${name}: an event was changed, added or removed`;
      found.push({ rule, stream: 'log', revision: null, message });
    }
    return found;
  }

  /** The entries of the next tile that are sealed; none where it is being built. */
  private async nextTile(): Promise<void> {
    const number = Math.floor(this.index / TILE_WIDTH);
    const width = Math.min(TILE_WIDTH, this.sealed - number * TILE_WIDTH);
    const tile = await this.tiles.get(0, number, width);
    this.compared = 0;
    this.tile = (tile?.positions ?? []).slice(0, width).map((position, place) => ({
      position,
      hash: tile?.hashes.subarray(place * HASH_SIZE, (place + 1) * HASH_SIZE) ?? new Uint8Array(),
    }));
    if (!tile) this.differing = LISTED; // there is nothing to compare with
  }

  private async compare(leaf: Uint8Array, at: Pick<RawEvent, 'stream' | 'revision' | 'position'>): Promise<Breach[]> {
    const { stream, revision, position } = at;
    const found: Breach[] = [];
    let entry = await this.entry();
    for (; entry && entry.position < position; entry = await this.entry()) {
      const message = `entry ${this.index} is sealed, and its event at ${Number(entry.position)} of the log is missing`;
      found.push({ rule: 'entry', stream: 'log', revision: null, message });
      this.step();
    }
    const isSealed = entry?.position === position;
    if (entry && !isSealed)
      found.push({ rule: 'entry', stream, revision, message: 'it came in after the log was sealed' });
    if (entry && isSealed) {
      if (!isSameHash(entry.hash, leaf))
        found.push({ rule: 'entry', stream, revision, message: 'it is not what was sealed' });
      this.step();
    }
    this.differing += found.length;
    return found;
  }

  /** The entry that comes next in the stored tiles; none past what is sealed. */
  private async entry(): Promise<StoredEntry | undefined> {
    if (this.compared === this.tile.length && this.index < this.sealed) await this.nextTile();
    return this.tile[this.compared];
  }

  private step(): void {
    this.compared += 1;
    this.index += 1;
  }
}
