import type { Breach } from './audited-event.js';
import { fromUtf8, Malformed } from './bytes.js';
import type { Crypto, Sha256 } from './crypto.js';
import { type Checkpoint, markOf } from './tlog/checkpoint.js';
import { decodeBundle, type Entry, parseEntry } from './tlog/entry.js';
import { appendLeaf, EMPTY, isSameHash, leafHash, rootOf, verifyConsistency } from './tlog/merkle.js';
import { Unverified } from './tlog/note.js';
import { type Policy, verifyCheckpoint } from './tlog/policy.js';
import {
  consistencyProof,
  entriesPath,
  HASH_SIZE,
  hashesFromTiles,
  type ReadHash,
  type Tile,
  TILE_WIDTH,
  tilePath,
} from './tlog/tiles.js';
import type { Version } from './version.js';

/** The most entries that are read of a log, in 65,536 files: a bundle on a larger one stays unscanned. */
export const MOST_ENTRIES = 16_777_216;

/** Reads a file of the log, such as `checkpoint`, by its path below the log's address. */
export type LogReader = (path: string) => Promise<Uint8Array>;

/** A stream as a bundle has it: its events from `first` on, each by its revision and its hash, and what names their entries. */
export interface ScannedStream {
  readonly stream: string;
  readonly pseudonym: string | null;
  readonly key: Uint8Array | null;
  readonly first: number;
  readonly revisions: ReadonlySet<number>;
  /** Revision and hash, with a space between them: of one revision there may be two lines. */
  readonly hashes: ReadonlySet<string>;
}

/** What a log is scanned with. `version`: that of the bundle. */
interface Scan {
  readonly version: Version;
  readonly crypto: Crypto;
  readonly policy: Policy;
  readonly log: LogReader;
}

/** Reads the log up to the bundle's tree. Breaches: `fork`, `omitted`, `log`. Later entries only prove that it grew. */
export const scanLog = async (head: Checkpoint, streams: readonly ScannedStream[], scan: Scan): Promise<Scanned> => {
  const found = { breaches: [], isMarked: false };
  try {
    await scanInto(found, head, streams, scan);
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof Unverified || error instanceof RangeError)) throw error;
    const { message } = error;
    return { ...found, breaches: [...found.breaches, { rule: 'log', stream: 'log', revision: null, message }] };
  }
  return found;
};

export interface Scanned {
  readonly breaches: readonly Breach[];
  /** Whether the log has entries of the second form below the size of the bundle. */
  readonly isMarked: boolean;
}

/** An event of a bundle, or the one that would come next. */
interface Expected {
  readonly known: ScannedStream;
  readonly revision: number;
}

/** The marks of all events of a bundle, and of the one after each. */
const marksOf = (sha256: Sha256, streams: readonly ScannedStream[]): ReadonlyMap<string, Expected> => {
  const marks = new Map<string, Expected>();
  for (const known of streams) {
    const { key, revisions } = known;
    if (!key) continue;
    const expected = new Set([...revisions].flatMap((revision) => [revision, revision + 1]));
    for (const revision of expected) marks.set(markOf(sha256, key, revision), { known, revision });
  }
  return marks;
};

const scanInto = async (
  found: { readonly breaches: Breach[]; isMarked: boolean },
  head: Checkpoint,
  streams: readonly ScannedStream[],
  { version, crypto, policy, log }: Scan,
): Promise<void> => {
  const report = (rule: string, message: string, stream = 'log', revision: number | null = null): void =>
    void found.breaches.push({ rule, stream, revision, message });
  const present = await verifyCheckpoint(fromUtf8(await log('checkpoint')), policy, crypto);
  if (present.origin !== head.origin) {
    report('fork', `the log is ${present.origin}, and the bundle rests on one of ${head.origin}`);
    return;
  }
  if (present.size < head.size) {
    report('fork', `the log has ${present.size} entries, and the bundle rests on one of ${head.size}`);
    return;
  }
  const byPseudonym = new Map(streams.map((stream) => [stream.pseudonym, stream]));
  const byMark = marksOf(crypto.sha256, streams);
  const expectedOf = (entry: Entry): Expected | undefined => {
    if ('mark' in entry) return byMark.get(entry.mark);
    const known = byPseudonym.get(entry.pseudonym);
    return known && { known, revision: entry.revision };
  };
  if (head.size > MOST_ENTRIES) return;
  let edge = EMPTY;
  const compare = (): void => {
    if (edge.size === head.size && !isSameHash(rootOf(crypto.sha256, edge), head.root))
      report('fork', `the first ${head.size} entries of the log are not those that the bundle rests on`);
  };
  compare();
  for (let index = 0; index * TILE_WIDTH < head.size; index += 1) {
    const width = Math.min(TILE_WIDTH, present.size - index * TILE_WIDTH);
    const path = entriesPath({ index, width });
    const entries = decodeBundle(await log(path));
    if (entries.length !== width) throw new Malformed(`${path} has ${entries.length} entries, and not ${width}`);
    for (const bytes of entries) {
      edge = appendLeaf(crypto.sha256, edge, leafHash(crypto.sha256, bytes));
      compare();
      if (edge.size > head.size) continue;
      const entry = parseEntry(bytes);
      const isMarked = entry !== null && 'mark' in entry;
      if (!entry || (isMarked && version === 1)) throw new Malformed(`entry ${edge.size - 1} is none of an event`);
      if (found.isMarked && !isMarked) throw new Malformed(`entry ${edge.size - 1} is of the form before`);
      found.isMarked = isMarked;
      const { known, revision } = expectedOf(entry) ?? {};
      if (!known || revision === undefined || revision < known.first) continue;
      if (!known.hashes.has(`${revision} ${entry.hash}`))
        report('omitted', `the log has another event here, or one more, at ${edge.size - 1}`, known.stream, revision);
    }
  }
  const read = { size: edge.size, root: rootOf(crypto.sha256, edge) };
  const proof = await consistencyProof(crypto.sha256, read.size, present.size, hashesOfLog(present.size, crypto, log));
  if (!verifyConsistency(crypto.sha256, read, present, proof))
    report('log', 'its entries and tiles do not give the root that it signed');
};

/** Reads hashes of the log's tree from its tiles, each of them once. @throws Malformed where one is not as wide as it has to be */
const hashesOfLog = (size: number, { sha256 }: Crypto, log: LogReader): ReadHash => {
  const tiles = new Map<string, Promise<Uint8Array>>();
  const read = async (path: string, { width }: Tile): Promise<Uint8Array> => {
    const bytes = await log(path);
    if (bytes.length !== width * HASH_SIZE) throw new Malformed(`${path} has ${bytes.length} bytes`);
    return bytes;
  };
  return hashesFromTiles(sha256, size, (tile) => {
    const path = tilePath(tile);
    const reading = tiles.get(path) ?? read(path, tile);
    tiles.set(path, reading);
    return reading;
  });
};
