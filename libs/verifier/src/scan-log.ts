import type { Breach } from './audited-event.js';
import { fromUtf8 } from './bytes.js';
import type { Crypto } from './crypto.js';
import type { Checkpoint } from './tlog/checkpoint.js';
import { decodeBundle, parseEntry } from './tlog/entry.js';
import { appendLeaf, EMPTY, isSameHash, leafHash, rootOf } from './tlog/merkle.js';
import { type Policy, verifyCheckpoint } from './tlog/policy.js';
import { entriesPath, TILE_WIDTH } from './tlog/tiles.js';

/** Reads a file of the log, such as `checkpoint`, by its path below the log's address. */
export type LogReader = (path: string) => Promise<Uint8Array>;

/** A stream as a bundle has it: the hashes of its events, by revision, from `first` on. */
export interface ScannedStream {
  readonly stream: string;
  readonly pseudonym: string;
  readonly first: number;
  readonly hashes: ReadonlyMap<number, string>;
}

/**
 * Reads every entry of the log and compares: `fork` where the log does not begin with the bundle's tree, `omitted` where a
 * pseudonym of the bundle has an entry up to its checkpoint that the bundle lacks, `log` where the log is not what its own
 * checkpoint says. Entries after the bundle's checkpoint are none of its business.
 *
 * @throws Unverified, Malformed where the log's own checkpoint is not one by a key the reader trusts; what the reader throws
 */
export const scanLog = async (
  head: Checkpoint,
  streams: readonly ScannedStream[],
  { crypto, policy, log }: { readonly crypto: Crypto; readonly policy: Policy; readonly log: LogReader },
): Promise<readonly Breach[]> => {
  const present = await verifyCheckpoint(fromUtf8(await log('checkpoint')), policy, crypto);
  const found: Breach[] = [];
  const tell = (rule: string, message: string, stream = 'log', revision: number | null = null): void =>
    void found.push({ rule, stream, revision, message });
  if (present.size < head.size) {
    tell('fork', `the log has ${present.size} entries, and the bundle rests on one of ${head.size}`);
    return found;
  }
  const byPseudonym = new Map(streams.map((stream) => [stream.pseudonym, stream]));
  let edge = EMPTY;
  for (let index = 0; index * TILE_WIDTH < present.size; index += 1) {
    const width = Math.min(TILE_WIDTH, present.size - index * TILE_WIDTH);
    const entries = decodeBundle(await log(entriesPath({ index, width })));
    if (entries.length !== width) tell('log', `the bundle ${index} of entries has ${entries.length} and not ${width}`);
    for (const bytes of entries) {
      edge = appendLeaf(crypto.sha256, edge, leafHash(crypto.sha256, bytes));
      if (edge.size === head.size && !isSameHash(rootOf(crypto.sha256, edge), head.root))
        tell('fork', `the first ${head.size} entries of the log are not those that the bundle rests on`);
      const entry = parseEntry(bytes);
      if (!entry) tell('log', `entry ${edge.size - 1} is none of an event`);
      const known = entry && edge.size <= head.size && byPseudonym.get(entry.pseudonym);
      if (!known || entry.revision < known.first) continue;
      if (known.hashes.get(entry.revision) !== entry.hash)
        tell(
          'omitted',
          `the log has another event here, or one more, at ${edge.size - 1}`,
          known.stream,
          entry.revision,
        );
    }
  }
  if (!isSameHash(rootOf(crypto.sha256, edge), present.root))
    tell('log', 'its entries do not give the root that it signed');
  return found;
};
