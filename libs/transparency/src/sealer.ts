import type { Leases } from '#documents';
import { BEGINNING, type EventStore, type Position } from '#event-store';
import type { Clock } from '#kernel';
import { appendLeaf, EMPTY, HASH_SIZE, isSameHash, rootOf, TILE_WIDTH, treeRoot } from '#verifier';
import type { Head, Heads } from './head.js';
import { entriesAfter, leafOf } from './log-entries.js';
import { nodeCrypto } from './node-crypto.js';
import type { Pseudonyms } from './pseudonyms.js';
import type { StoredTiles } from './stored-tiles.js';
import { NotSealed, type TransparencyLog } from './transparency-log.js';
import type { TreeGrowing } from './tree-builder.js';

const { sha256 } = nodeCrypto;

/** What was signed is not what the log holds. The message is for the operator. */
export class LogNotAsSealed extends Error {
  override readonly name = 'LogNotAsSealed';

  constructor(what: string) {
    super(
      `the sealed head of the transparency log ${what}: the log was cut, changed or replaced. Put the right log back. ` +
        'What was signed cannot be taken back: if this log is the right one, it needs another TLOG_ORIGIN and empty documents of the log (docs/operations.md, The transparency log)',
    );
  }
}

export interface SealerParts {
  readonly events: EventStore;
  readonly heads: Heads;
  readonly tiles: StoredTiles;
  readonly pseudonyms: Pseudonyms;
  readonly log: Pick<TransparencyLog, 'readHash'>;
  readonly clock: Clock;
}

export interface SealerOptions {
  readonly growing: TreeGrowing;
  /** How long (ms) after a round the next one begins. */
  readonly interval: number;
  /** Where several processes may seal: a lease, which saves work and no more. */
  readonly lease: { readonly leases: Leases; readonly milliseconds: number } | null;
  readonly onSealed?: (head: Head) => void;
  readonly onError: (error: unknown) => void;
}

const LEASE = 'tlog';

/** In how many steps a round builds the tree in the thread that writes the read models: at once it would hold them up, and those who wait for them. */
const STEPS = 10;

/** After which place events have marks: in a log that nothing was sealed of, from its beginning on. */
const marksBegin = (head: Head | null): Position => head?.markedAfter ?? BEGINNING;

export interface SealingFigures {
  readonly size: number;
  /** Seconds since everything that the log held was sealed. */
  readonly secondsBehind: number;
}

/** Builds the tree to the log's end every interval and replaces the head, never against the last (docs/consistency.md, rule 32). */
export class Sealer {
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private sealedAt: number | null = null;
  private size = 0;
  /** The version of the head that the tiles were last compared with. */
  private compared = 0;
  /** After which place in the log events have marks, as the newest head says; null: no head was looked at yet. */
  private markedAfter: Position | null = null;

  constructor(
    private readonly parts: SealerParts,
    private readonly options: SealerOptions,
  ) {}

  /** What this process knows of it; null where it does not seal. */
  get figures(): SealingFigures | null {
    if (this.sealedAt === null) return null;
    return { size: this.size, secondsBehind: (this.parts.clock.monotonic() - this.sealedAt) / 1_000 };
  }

  start(): void {
    this.sealedAt = this.options.lease ? null : this.parts.clock.monotonic();
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.options.growing.stop();
    await this.running;
    if (this.sealedAt !== null) await this.options.lease?.leases.release(LEASE);
  }

  private async run(): Promise<void> {
    const { growing, onError, lease } = this.options;
    const steps = lease ? 1 : STEPS;
    for (let step = 1; await this.stepPassed(steps); step += 1) {
      try {
        if (step % steps === 0) {
          if (await this.isOurs()) await this.seal();
        } else if (this.sealedAt !== null) {
          this.markedAfter ??= marksBegin(await this.parts.heads.read());
          await growing.grow(this.markedAfter);
        }
      } catch (error) {
        if (!this.isStopping()) onError(error);
        if (error instanceof LogNotAsSealed) return;
      }
    }
  }

  /** Waits for the next step of a round; returns whether there is to be one. */
  private async stepPassed(steps: number): Promise<boolean> {
    await this.parts.clock.sleep(this.options.interval / steps, this.stopping.signal);
    return !this.isStopping();
  }

  private async isOurs(): Promise<boolean> {
    const { lease } = this.options;
    if (!lease) return true;
    const isHeld = await lease.leases.hold(LEASE, lease.milliseconds);
    this.sealedAt = isHeld ? (this.sealedAt ?? this.parts.clock.monotonic()) : null;
    return isHeld;
  }

  /** Seals all that the log holds now; false: nothing to seal, or somebody was faster. @throws LogNotAsSealed, as the stores */
  async seal(): Promise<boolean> {
    const { heads, tiles, clock } = this.parts;
    const { growing, onSealed } = this.options;
    const since = clock.monotonic();
    // The head is read first: the log holds what it says, and so does the tree that is built to the end of the log then.
    const head = await heads.read();
    if (this.isStopping()) return false;
    const markedAfter = (this.markedAfter = marksBegin(head));
    let grown = await growing.grow(markedAfter);
    if (head?.version === this.compared && head.size === grown.size) {
      this.sealedAt = since;
      return false;
    }
    let root = await this.rootAfter(head, grown.size);
    if (!root) {
      if (this.isStopping()) return false;
      await growing.startOver();
      tiles.forget();
      if (this.isStopping()) return false;
      grown = await growing.grow(markedAfter);
      root = await this.rootAfter(head, grown.size);
    }
    if (this.isStopping()) return false;
    if (!root) throw new LogNotAsSealed('does not match the log');
    const isNews = grown.size > (head?.size ?? 0);
    if (isNews && !(await heads.replace(head, { ...grown, root }))) return false;
    this.compared = (head?.version ?? 0) + (isNews ? 1 : 0);
    [this.size, this.sealedAt] = [grown.size, since];
    if (isNews) onSealed?.({ ...grown, root });
    return isNews;
  }

  /** The root of the stored tree at a size; null where it does not begin with the tree of the head, or tiles are missing. */
  private async rootAfter(head: Head | null, size: number): Promise<Uint8Array | null> {
    if (size < (head?.size ?? 0)) return null;
    try {
      if (head && !isSameHash(await this.rootAt(head.size), head.root)) return null;
      return await this.rootAt(size);
    } catch (error) {
      if (error instanceof NotSealed) return null;
      throw error;
    }
  }

  private rootAt(size: number): Promise<Uint8Array> {
    return treeRoot(sha256, size, this.parts.log.readHash(size));
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted; // it changes meanwhile
  }
}

/** Compares what was sealed with the log, which is read whole only where something differs. @throws LogNotAsSealed */
export const refuseUnlessAsSealed = async (parts: SealerParts): Promise<void> => {
  const head = await parts.heads.read();
  if (!head) {
    // They would be of another log, or of a first round that was broken off.
    if (await parts.tiles.grown()) await parts.tiles.drop();
    return;
  }
  const end = (await parts.events.head())?.position ?? BEGINNING;
  if (head.position > end) throw new LogNotAsSealed('is ahead of the log');
  const grown = await parts.tiles.grown();
  if (!grown || grown.size < head.size) return;
  const root = await treeRoot(sha256, head.size, parts.log.readHash(head.size)).catch(() => null);
  if (root && isSameHash(root, head.root) && (await isNewestInLog(parts, head))) return;
  if (!isSameHash(await rootInLog(parts, head), head.root)) throw new LogNotAsSealed('does not match the log');
  await parts.tiles.drop();
};

/** Whether the entries of the newest tile up to the head are in the log. */
const isNewestInLog = async (parts: SealerParts, { size, markedAfter }: Head): Promise<boolean> => {
  const { tiles } = parts;
  const index = Math.floor((size - 1) / TILE_WIDTH);
  const tile = await tiles.get(0, index, size - index * TILE_WIDTH);
  const before = index === 0 ? null : await tiles.get(0, index - 1, TILE_WIDTH);
  if (!tile || (index > 0 && !before)) return false;
  let place = 0;
  for await (const { entries } of entriesAfter({ ...parts, markedAfter }, before?.positions.at(-1) ?? BEGINNING)) {
    for (const entry of entries) {
      const hash = tile.hashes.subarray(place * HASH_SIZE, (place + 1) * HASH_SIZE);
      if (!isSameHash(leafOf(entry), hash)) return false;
      place += 1;
      if (index * TILE_WIDTH + place === size) return true;
    }
  }
  return false;
};

/** The root of the first entries of the log itself, as many as a head has. */
const rootInLog = async (parts: SealerParts, { size, markedAfter }: Head): Promise<Uint8Array> => {
  let edge = EMPTY;
  for await (const { entries } of entriesAfter({ ...parts, markedAfter }, BEGINNING)) {
    for (const entry of entries.slice(0, size - edge.size)) edge = appendLeaf(sha256, edge, leafOf(entry));
    if (edge.size === size) break;
  }
  return rootOf(sha256, edge);
};
