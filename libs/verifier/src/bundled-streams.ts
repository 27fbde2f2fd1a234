import type { AuditedEvent } from './audited-event.js';
import type { BundledEvent, Placed, ProvenEvent } from './bundle.js';
import { fromBase64, fromBase64url, hex } from './bytes.js';
import { CHAIN_START, expectedHash, hashBytes } from './chain.js';
import type { Sha256 } from './crypto.js';
import type { ScannedStream } from './scan-log.js';
import { type Checkpoint, markOf } from './tlog/checkpoint.js';
import { entryBytes } from './tlog/entry.js';
import { leafHash, verifyInclusion } from './tlog/merkle.js';

/** Where a breach stands. */
export interface Place {
  readonly stream: string;
  readonly revision?: number | null;
}

interface StreamSoFar {
  /** What names the entry of its first event here. */
  readonly names: EntryNames;
  /** Whether an event of it has an entry of the second form. */
  isMarked: boolean;
  readonly first: number;
  readonly events: AuditedEvent[];
}

/** The streams of a bundle: each event is an entry of the log, names of entries stand for one stream, and events are chained. */
export class BundledStreams {
  readonly all = new Map<string, StreamSoFar>();
  /** Every event that could be read, in the order of the bundle. */
  readonly inOrder: AuditedEvent[] = [];
  /** How many events there were, good or not. */
  taken = 0;
  private lastIndex = -1;
  private readonly streamOf = new Map<string, string>();
  private readonly gaps = new Set<string>();

  constructor(
    private readonly sha256: Sha256,
    private readonly report: (rule: string, message: string, place: Place) => void,
  ) {}

  /** Takes the next event, and checks it against the tree and the event before it. */
  take(event: BundledEvent | (ProvenEvent & Placed), head: Checkpoint | null): void {
    this.taken += 1;
    const { stream, revision, index, previousHash, metadata } = event;
    const names = namesOf(event);
    if (index <= this.lastIndex)
      this.report('sequence', `its entry ${index} does not come after ${this.lastIndex}`, event);
    this.lastIndex = Math.max(this.lastIndex, index);
    if (head) this.checkInclusion(event, names, head);

    const soFar = this.all.get(stream) ?? { names, isMarked: false, first: revision, events: [] };
    this.all.set(stream, soFar);
    this.checkNames(event, names, soFar);
    const before = soFar.events.at(-1);
    const next = before ? before.revision + 1 : soFar.first;
    if (revision !== next) {
      this.gaps.add(stream);
      this.report('revision', `revision ${revision} stands where ${next} belongs`, event);
    } else if (previousHash !== (before?.metadata.hash ?? (revision === 0 ? hex(CHAIN_START) : previousHash)))
      this.report('chain', 'it is not chained to the event before it', event);
    soFar.events.push(event);
    this.inOrder.push(event);
    const previous = hashBytes(previousHash) ?? CHAIN_START;
    if (hex(expectedHash(this.sha256, previous, event)) !== metadata.hash)
      this.report('chain', 'its hash is not that of its content', event);
  }

  /** A stream has one pseudonym and one key, which stand for no other, and its entries do not go back to the first form. */
  private checkNames({ stream, revision }: AuditedEvent, names: EntryNames, soFar: StreamSoFar): void {
    const { pseudonym, key } = names;
    const isOthers = [pseudonym, key].some((name) => {
      const owner = name === null ? stream : (this.streamOf.get(name) ?? stream);
      if (name !== null) this.streamOf.set(name, owner);
      return owner !== stream;
    });
    const isAnother = key !== soFar.names.key || (pseudonym !== null && pseudonym !== soFar.names.pseudonym);
    if (isOthers || isAnother || (pseudonym !== null && soFar.isMarked))
      this.report('pseudonym', 'what names its entry does not stand for this stream alone, or not always', {
        stream,
        revision,
      });
    soFar.isMarked ||= pseudonym === null;
  }

  private checkInclusion(event: AuditedEvent & Placed, { pseudonym, key, mark }: EntryNames, head: Checkpoint): void {
    const { sha256 } = this;
    const { revision, metadata } = event;
    const { hash } = metadata;
    const entry =
      pseudonym !== null
        ? { pseudonym, revision, hash }
        : { mark: mark ?? markOf(sha256, fromBase64url(key ?? ''), revision), hash };
    const leaf = leafHash(sha256, entryBytes(entry));
    const proof = event.proof.map(fromBase64);
    if (!verifyInclusion(sha256, { index: event.index, ...head, leaf, proof }))
      this.report('inclusion', `its entry does not stand at ${event.index} of the log`, event);
  }

  /** Whether a stream begins here and has no gap. */
  isHere(stream: string): boolean {
    return this.all.get(stream)?.first === 0 && !this.gaps.has(stream);
  }

  /** As the whole log is searched for what is not here. */
  scanned(): readonly ScannedStream[] {
    return [...this.all].map(([stream, { names, first, events }]) => ({
      stream,
      pseudonym: names.pseudonym,
      key: names.key === null ? null : fromBase64url(names.key),
      first,
      revisions: new Set(events.map(({ revision }) => revision)),
      hashes: new Set(events.map(({ revision, metadata }) => `${revision} ${metadata.hash}`)),
    }));
  }
}

/** What names the entry of an event: `key` in bundles from v2 on, `mark` in receipts, `pseudonym` in the first form. */
interface EntryNames {
  readonly pseudonym: string | null;
  readonly key: string | null;
  readonly mark: string | null;
}

const namesOf = (event: BundledEvent | ProvenEvent): EntryNames => ({
  pseudonym: 'pseudonym' in event ? (event.pseudonym ?? null) : null,
  key: 'key' in event ? event.key : null,
  mark: 'mark' in event ? event.mark : null,
});
