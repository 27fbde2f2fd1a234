import { utf8 } from '../bytes.js';
import { TILE_WIDTH } from './tiles.js';

/** An event as the log of logs has it: the first form, by what stands for its stream. */
export interface PseudonymousEntry {
  /** What stands for its stream: base64url, without padding. */
  readonly pseudonym: string;
  /** Place in its stream; the first is 0. */
  readonly revision: number;
  /** Hex SHA-256 that chains it to the event before it (docs/consistency.md, rule 27). */
  readonly hash: string;
}

/** The second form, which says of which stream it is to nobody but who has the key of that. */
export interface MarkedEntry {
  /** What stands for the event itself (`markOf`). */
  readonly mark: string;
  readonly hash: string;
}

export type Entry = PseudonymousEntry | MarkedEntry;

/** An entry as text, of which its bytes are the UTF-8. */
export const entryText = (entry: Entry): string =>
  'mark' in entry
    ? `alcada.event/v2\n${entry.mark}\n${entry.hash}\n`
    : `alcada.event/v1\n${entry.pseudonym}\n${entry.revision}\n${entry.hash}\n`;

export const entryBytes = (entry: Entry): Uint8Array => utf8(entryText(entry));

const PSEUDONYMOUS = /^alcada\.event\/v1\n([\w-]{43})\n(0|[1-9]\d{0,15})\n([0-9a-f]{64})\n$/;
const MARKED = /^alcada\.event\/v2\n([\w-]{43})\n([0-9a-f]{64})\n$/;

/** Each byte as it stands: none is swallowed, as a byte order mark would be. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What an entry says; null for bytes that are none. */
export const parseEntry = (bytes: Uint8Array): Entry | null => {
  const text = decoder.decode(bytes);
  const [, mark = null, digest = null] = MARKED.exec(text) ?? [];
  if (mark !== null && digest !== null) return { mark, hash: digest };
  const [, pseudonym = null, revision = null, hash = null] = PSEUDONYMOUS.exec(text) ?? [];
  if (pseudonym === null || revision === null || hash === null || !Number.isSafeInteger(+revision)) return null;
  return { pseudonym, revision: Number(revision), hash };
};

/** Entries as they are served, each after its length in two bytes, the higher one first (C2SP tlog-tiles, Log entries). */
export const encodeBundle = (entries: readonly Uint8Array[]): Uint8Array => {
  const bundle = new Uint8Array(entries.reduce((length, entry) => length + 2 + entry.length, 0));
  let place = 0;
  for (const entry of entries) {
    bundle[place] = entry.length >> 8;
    bundle[place + 1] = entry.length & 0xff;
    bundle.set(entry, place + 2);
    place += 2 + entry.length;
  }
  return bundle;
};

/** The entries of a bundle. @throws RangeError where it ends within one, or has more than 256 */
export const decodeBundle = (bundle: Uint8Array): readonly Uint8Array[] => {
  const entries: Uint8Array[] = [];
  for (let place = 0; place < bundle.length;) {
    const end = place + 2 + ((bundle[place] ?? 0) << 8) + (bundle[place + 1] ?? bundle.length);
    if (end > bundle.length) throw new RangeError('a bundle ends within an entry');
    entries.push(bundle.subarray(place + 2, end));
    place = end;
  }
  if (entries.length > TILE_WIDTH) throw new RangeError(`a bundle of ${entries.length} entries`);
  return entries;
};
