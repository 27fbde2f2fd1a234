import type { AuditedEvent, AuditedMetadata, Json } from './audited-event.js';
import { concat, fromUtf8, Malformed } from './bytes.js';
import { hasOnly, isInstant, isObject } from './rules/members.js';
import { type BundleFormat, isBundleFormat, NEWEST, type Version } from './version.js';

/** What a bundle was made about; `since`: an instant. */
export const SUBJECTS = ['mandate', 'order', 'holder', 'since'] as const;
export type Subject = (typeof SUBJECTS)[number];
/** One subject by its id, such as `{ "mandate": "…" }`. */
export type About = Readonly<Partial<Record<Subject, string>>>;

/** The first line of a bundle. */
export interface BundleHeader {
  readonly format: BundleFormat;
  readonly about: About;
  /** The signed note of the tree that all proofs of the bundle lead to, with its witnesses' cosignatures. */
  readonly checkpoint: string;
  readonly events: number;
}

/** How an event's entry is named by its pseudonym: in bundles of v1, and in receipts. */
export interface ByPseudonym {
  /** What stands for its stream in the log's entries of the first form. */
  readonly pseudonym: string;
}

/** How bundles of v2 name entries, so that whoever has one finds every entry of its streams. */
export interface ByKey {
  /** The key of the marks of its stream: 32 bytes in base64url. */
  readonly key: string;
  /** Of an event whose entry is of the first form. */
  readonly pseudonym?: string;
}

/** How a receipt names an entry of the second form: by itself, and no other. */
export interface ByMark {
  readonly mark: string;
}

/** An event with what its hash is chained to, and what names its entry in the log. */
export type LoggedEvent<Naming extends ByPseudonym | ByKey | ByMark> = Following & Naming;

interface Following extends AuditedEvent {
  /** Hex hash of the event before it in its stream; of the first, 64 zeros. */
  readonly previousHash: string;
}

export type ProvenEvent = LoggedEvent<ByPseudonym | ByMark>;

/** Where an entry stands, and what proves it. */
export interface Placed {
  /** Place of its entry in the log; the first is 0. */
  readonly index: number;
  /** The inclusion proof: hashes in base64, from the leaf's sibling up (RFC 6962 §2.1.1). */
  readonly proof: readonly string[];
}

/** Every line of a bundle after the first. */
export type BundledEvent = LoggedEvent<ByPseudonym | ByKey> & Placed;

/** A line that is none of a bundle's. */
export class UnreadableBundle extends Error {
  override readonly name = 'UnreadableBundle';
}

/** A line of a bundle, without its newline. */
export const bundleLine = (line: BundleHeader | BundledEvent): string => JSON.stringify(line);

/** The most bytes of a line, its newline aside: no file makes its reader keep more. */
export const LONGEST_LINE = 1_048_576;
const NEWLINE = 0x0a;

/** A line without its newline, or why it is none. */
type Line = { readonly text: string } | { readonly fault: string };

/** The lines of a file, each ended by a newline and by nothing else. What has none at the end is a fault, too. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length <= LONGEST_LINE) parts.push(part);
    else parts = [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield length > LONGEST_LINE ? { fault: `it is longer than ${LONGEST_LINE} bytes` } : lineIn(concat(...parts));
      [parts, length, start] = [[], 0, end + 1];
    }
    add(chunk.slice(start)); // a copy: what a stream reads next may lie in the same place
  }
  if (length > 0) yield { fault: 'no newline ends it' };
}

const lineIn = (bytes: Uint8Array): Line => {
  try {
    return { text: fromUtf8(bytes) };
  } catch (error) {
    if (error instanceof Malformed) return { fault: error.message };
    throw error;
  }
};

/** @throws UnreadableBundle */
export const parseHeader = (line: string): BundleHeader => {
  const { format, about, checkpoint, events, ...more } = objectIn(line);
  if (!isBundleFormat(format)) throw new UnreadableBundle('the first line does not say which format of bundles it is');
  if (typeof checkpoint !== 'string' || !isCount(events) || !isAbout(about))
    throw new UnreadableBundle('the first line lacks about, checkpoint or events');
  none(more);
  return { format, about, checkpoint, events };
};

/** @throws UnreadableBundle */
export const parseEvent = (line: string, version: Version = NEWEST): BundledEvent => {
  const { index, proof, ...event } = objectIn(line);
  if (!isCount(index) || !Array.isArray(proof) || !proof.every(isNode))
    throw new UnreadableBundle('an event lacks index or proof');
  return { ...loggedEvent<ByPseudonym | ByKey>(event, version, version === 1 ? byPseudonym : byKey), index, proof };
};

/** The event in the `extra` line of a receipt's proof, which has no place and no proof of its own. @throws UnreadableBundle */
export const parseProvenEvent = (text: string): ProvenEvent => {
  const event = objectIn(text);
  return 'pseudonym' in event ? loggedEvent(event, 1, byPseudonym) : loggedEvent(event, 2, byMark);
};

const loggedEvent = <Naming extends ByPseudonym | ByKey | ByMark>(
  value: Json,
  version: Version,
  namingIn: (named: Json) => Naming | null,
): LoggedEvent<Naming> => {
  const { stream, revision, type, data, metadata, previousHash, ...named } = value;
  if (typeof stream !== 'string' || !isCount(revision) || typeof type !== 'string' || !isObject(data))
    throw new UnreadableBundle('an event lacks stream, revision, type or data');
  if (!isMetadata(metadata, version))
    throw new UnreadableBundle(`the metadata of ${stream}, revision ${revision}, are not those of an event`);
  const naming = namingIn(named);
  if (!isHash(previousHash) || !naming)
    throw new UnreadableBundle(`${stream}, revision ${revision}, lacks previousHash or what names its entry`);
  return { stream, revision, type, data, metadata, previousHash, ...naming };
};

const byPseudonym = ({ pseudonym, ...more }: Json): ByPseudonym | null => {
  if (!isDigest(pseudonym)) return null;
  none(more);
  return { pseudonym };
};

const byMark = ({ mark, ...more }: Json): ByMark | null => {
  if (!isDigest(mark)) return null;
  none(more);
  return { mark };
};

const byKey = ({ key, pseudonym, ...more }: Json): ByKey | null => {
  if (!isKey(key) || !(pseudonym === undefined || isDigest(pseudonym))) return null;
  none(more);
  return { key, ...(pseudonym !== undefined && { pseudonym }) };
};

/** What stands beside what is hashed would be read by people, and proven by nothing. */
const none = (more: object): void => {
  const [name] = Object.keys(more);
  if (name !== undefined) throw new UnreadableBundle(`a line has a member that this format does not know: ${name}`);
};

/** A line without doubled members or inexact numbers, of which readers would take different values. */
const objectIn = (line: string): Json => {
  const [value, written] = respelled(line);
  if (written !== line)
    throw new UnreadableBundle('a line is not spelled as JSON.stringify does, or has a member twice');
  if (!isObject(value)) throw new UnreadableBundle('a line is not a JSON object');
  checkExact(value, 1);
  return value;
};

const respelled = (text: string): readonly [unknown, string] => {
  try {
    const value: unknown = JSON.parse(text);
    return [value, JSON.stringify(value)];
  } catch {
    throw new UnreadableBundle('a line is not JSON');
  }
};

/** How many levels a line has at most, its own object being the first. */
const LEVELS = 100;

/** Half of a character, which no UTF-8 has and every program writes otherwise (RFC 8785, section 3.2.2.2). */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** @throws UnreadableBundle for what programs read differently */
const checkExact = (value: unknown, level: number): void => {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new UnreadableBundle(`a number is not an integer between -2^53 and 2^53: ${value}`);
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) throw new UnreadableBundle('a text is not Unicode');
  if (typeof value !== 'object' || value === null) return;
  if (level > LEVELS) throw new UnreadableBundle(`it has more than ${LEVELS} levels`);
  for (const [name, member] of Object.entries(value)) {
    checkExact(name, level);
    checkExact(member, level + 1);
  }
};

/** base64url of 32 bytes. What is decoded has one spelling: no bits are left over. */
const DIGEST = /^[A-Za-z0-9_-]{43}$/;
const KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const isDigest = (value: unknown): value is string => typeof value === 'string' && DIGEST.test(value);
const isKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isName = (value: unknown): value is string | null => isText(value) || value === null;

/** base64 of 32 bytes. */
const isNode = (value: unknown): value is string =>
  isText(value) && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value);

const isAbout = (value: unknown): value is About => {
  if (!isObject(value)) return false;
  const [[subject, id] = [], ...others] = Object.entries(value);
  if (others.length > 0 || !SUBJECTS.some((known) => known === subject) || !isText(id)) return false;
  return subject !== 'since' || isInstant(id);
};

const METADATA = ['$causationId', '$correlationId', 'actor', 'eventId', 'hash', 'occurredAt', 'schemaVersion'];

const isMetadata = (value: unknown, version: Version): value is AuditedMetadata =>
  isObject(value) &&
  (version > 1 && isParty(value['party']) ? hasOnly(value, [...METADATA, 'party']) : hasOnly(value, METADATA)) &&
  [value['eventId'], value['$correlationId'], value['$causationId']].every(isText) &&
  isText(value['occurredAt']) &&
  isInstant(value['occurredAt']) &&
  isCount(value['schemaVersion']) &&
  isHash(value['hash']) &&
  isObject(value['actor']) &&
  hasOnly(value['actor'], ['holder', 'clientId']) &&
  isName(value['actor']['holder']) &&
  isName(value['actor']['clientId']);

const isParty = (value: unknown): boolean =>
  isObject(value) && hasOnly(value, ['holder', 'clientId']) && isText(value['holder']) && isText(value['clientId']);
