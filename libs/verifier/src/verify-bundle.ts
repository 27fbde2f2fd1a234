import type { AuditedEvent, Breach } from './audited-event.js';
import {
  type About,
  type BundledEvent,
  linesOf,
  LONGEST_LINE,
  parseEvent,
  parseHeader,
  parseProvenEvent,
  type Placed,
  type ProvenEvent,
  UnreadableBundle,
} from './bundle.js';
import { base64, fromBase64, fromBase64url, fromUtf8, hex, Malformed } from './bytes.js';
import { CHAIN_START, expectedHash, hashBytes } from './chain.js';
import type { Crypto } from './crypto.js';
import type { Applied, BundleReport, Caveat, Statement } from './report.js';
import { categoryIn, formFault } from './rules/event-forms.js';
import { eachRuleOnce, LogRules } from './rules/log.js';
import { replayMandate } from './rules/mandate.js';
import { type LogReader, MOST_ENTRIES, scanLog, type ScannedStream } from './scan-log.js';
import { type Checkpoint, markOf, parseCheckpoint } from './tlog/checkpoint.js';
import { entryBytes } from './tlog/entry.js';
import { leafHash, verifyInclusion } from './tlog/merkle.js';
import { parseNote, Unverified } from './tlog/note.js';
import { type Policy, verifyCheckpoint } from './tlog/policy.js';
import { parseProof } from './tlog/proof.js';
import { NEWEST, type Version, versionOf } from './version.js';

/** What a reader trusts and asks for. None of it comes from the bundle. */
export interface Trust {
  readonly crypto: Crypto;
  /** Which logs the reader believes, and how many witnesses have to vouch for what they show. */
  readonly policy: Policy;
  /** Where the log itself can be read, so that what a bundle leaves out is found; absent: it is not looked for. */
  readonly log?: LogReader;
}

/** Where breaches stand that are of the bundle and of no stream. */
export const BUNDLE = 'bundle';

/** Verifies the bytes of a bundle. Whatever is wrong with it is in the report; it throws only what the log's reader throws. */
export const verifyBundle = async (
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  trust: Trust,
): Promise<BundleReport> => {
  const verification = new Verification(trust);
  for await (const line of linesOf(bytes)) {
    const number = verification.lines;
    verification.lines += 1;
    try {
      if ('fault' in line) throw new UnreadableBundle(line.fault);
      if (number > 0) verification.takeLine(line.text);
      else {
        const { format, ...header } = parseHeader(line.text);
        await verification.begin({ ...header, version: versionOf(format) });
      }
    } catch (error) {
      verification.report('format', `line ${number + 1}: ${unreadable(error)}`);
      if (number === 0) break;
    }
  }
  return verification.end();
};

/** Verifies a `.tlog-proof` whose `extra` line holds the event of its entry: that of a receipt, an `OrderPaid`. */
export const verifyProvenEvent = async (bytes: Uint8Array, trust: Trust): Promise<BundleReport> => {
  const verification = new Verification(trust);
  try {
    const { extra, index, hashes, checkpoint } = parseProof(fromUtf8(bytes));
    if (!extra) throw new Malformed('it has no line "extra" with the event of its entry');
    if (extra.length > LONGEST_LINE) throw new Malformed(`its event is longer than ${LONGEST_LINE} bytes`);
    const event = parseProvenEvent(fromUtf8(extra));
    if (categoryIn(event.stream) !== 'order' || event.type !== RECEIPT)
      throw new Malformed(`a receipt is an ${RECEIPT} of an order, and this is ${event.type} of ${event.stream}`);
    // The log is as it is now, whichever version its receipts are of.
    await verification.begin({ version: NEWEST, about: null, checkpoint, events: 1 });
    verification.lines = 2;
    verification.take({ ...event, index, proof: hashes.map(base64) });
    const fault = formFault(event, 'mark' in event ? 2 : 1);
    if (fault !== null) verification.report('form', fault, event);
  } catch (error) {
    verification.report('format', unreadable(error));
  }
  return verification.end();
};

/** The one event that a receipt proves. */
const RECEIPT = 'OrderPaid';

/** What is wrong with the form of a line or a proof; anything else is thrown on. */
const unreadable = (error: unknown): string => {
  if (error instanceof UnreadableBundle || error instanceof Malformed) return error.message;
  throw error;
};

interface StreamSoFar {
  /** What names the entry of its first event here. */
  readonly names: EntryNames;
  /** Whether an event of it has an entry of the second form. */
  isMarked: boolean;
  readonly first: number;
  readonly events: AuditedEvent[];
}

class Verification {
  private begun: Beginning | null = null;
  private head: Checkpoint | null = null;
  private witnesses: readonly string[] = [];
  private lastIndex = -1;
  private taken = 0;
  /** Lines that were read, good or not, the header among them. */
  lines = 0;
  private readonly streams = new Map<string, StreamSoFar>();
  private readonly streamOf = new Map<string, string>();
  private readonly inOrder: AuditedEvent[] = [];
  private readonly breaches: Breach[] = [];
  private readonly gaps = new Set<string>();
  private applied: Applied = NOTHING;
  /** Whether a stream has no entry of the second form, which would show that its key is its own, and the log has some. */
  private isKeyUnproven = false;

  constructor(private readonly trust: Trust) {}

  report(rule: string, message: string, { stream, revision = null }: Place = { stream: BUNDLE }): void {
    this.breaches.push({ rule, stream, revision, message });
  }

  async begin(beginning: Beginning): Promise<void> {
    this.begun = beginning;
    try {
      this.head = parseCheckpoint(parseNote(beginning.checkpoint).text);
      const { policy, crypto } = this.trust;
      ({ witnesses: this.witnesses } = await verifyCheckpoint(beginning.checkpoint, policy, crypto));
    } catch (error) {
      if (!(error instanceof Unverified || error instanceof Malformed)) throw error;
      this.report('checkpoint', error.message);
    }
  }

  takeLine(text: string): void {
    this.take(parseEvent(text, this.begun?.version));
  }

  take(event: BundledEvent | (ProvenEvent & Placed)): void {
    this.taken += 1;
    const { stream, revision, index, previousHash, metadata } = event;
    const names = namesOf(event);
    if (index <= this.lastIndex)
      this.report('sequence', `its entry ${index} does not come after ${this.lastIndex}`, event);
    this.lastIndex = Math.max(this.lastIndex, index);
    this.checkInclusion(event, names);

    const soFar = this.streams.get(stream) ?? { names, isMarked: false, first: revision, events: [] };
    this.streams.set(stream, soFar);
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
    if (hex(expectedHash(this.trust.crypto.sha256, previous, event)) !== metadata.hash)
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

  private checkInclusion(event: AuditedEvent & Placed, { pseudonym, key, mark }: EntryNames): void {
    if (!this.head) return;
    const { sha256 } = this.trust.crypto;
    const { revision, metadata } = event;
    const { hash } = metadata;
    const entry =
      pseudonym !== null
        ? { pseudonym, revision, hash }
        : { mark: mark ?? markOf(sha256, fromBase64url(key ?? ''), revision), hash };
    const leaf = leafHash(sha256, entryBytes(entry));
    const proof = event.proof.map(fromBase64);
    if (!verifyInclusion(sha256, { index: event.index, ...this.head, leaf, proof }))
      this.report('inclusion', `its entry does not stand at ${event.index} of the log`, event);
  }

  async end(): Promise<BundleReport> {
    const { begun, head } = this;
    if (!begun && this.breaches.length === 0) this.report('format', 'it is empty');
    const events = this.lines - 1;
    if (begun && begun.events !== events)
      this.report('format', `${events} lines of events, and it says ${begun.events}`);
    this.checkSubject();
    const isBundle = begun?.about != null;
    const mandates = begun && isBundle ? this.checkRules(begun.version) : [];
    if (head && begun && this.trust.log) {
      const { version } = begun;
      // A receipt promises one event, and nothing of those after it.
      const streams = isBundle ? this.scannedStreams() : [];
      const { breaches, isMarked } = await scanLog(head, streams, { ...this.trust, version, log: this.trust.log });
      this.breaches.push(...breaches);
      this.isKeyUnproven = isBundle && isMarked && [...this.streams.values()].some((stream) => !stream.isMarked);
    }
    const proven = head ? this.proven() : [];
    return {
      verdict: this.breaches.length === 0 ? 'sound' : 'broken',
      about: begun?.about ?? null,
      checkpoint: head && { ...head, root: base64(head.root), witnesses: this.witnesses },
      events: this.taken,
      streams: [...this.streams].map(
        ([
          stream,
          {
            names: { pseudonym },
            first,
            events,
          },
        ]) => {
          return { stream, pseudonym, first, events: events.length };
        },
      ),
      mandates,
      applied: this.applied,
      breaches: this.breaches,
      proven,
      unproven: this.unproven(proven),
    };
  }

  private scannedStreams(): readonly ScannedStream[] {
    return [...this.streams].map(
      ([
        stream,
        {
          names: { pseudonym, key },
          first,
          events,
        },
      ]) => ({
        stream,
        pseudonym,
        key: key === null ? null : fromBase64url(key),
        first,
        revisions: new Set(events.map(({ revision }) => revision)),
        hashes: new Set(events.map(({ revision, metadata }) => `${revision} ${metadata.hash}`)),
      }),
    );
  }

  /** What a bundle is about has to be in it from its beginning. */
  private checkSubject(): void {
    const about = this.begun?.about ?? {};
    for (const subject of ['mandate', 'order'] as const) {
      const id = about[subject];
      if (id === undefined) continue;
      const stream = `${subject}-${id}`;
      if (this.streams.get(stream)?.first !== 0)
        this.report('subject', 'the bundle is about this stream, and does not have its beginning', { stream });
    }
  }

  /** Whether a stream begins here and has no gap. */
  private isHere(stream: string): boolean {
    return this.streams.get(stream)?.first === 0 && !this.gaps.has(stream);
  }

  /** The rules, of every stream that begins here and has no gap, and between two of them. */
  private checkRules(version: Version): BundleReport['mandates'] {
    const isHere = (stream: string) => this.isHere(stream);
    const rules = new LogRules(this.trust.crypto.sha256, version, isHere);
    const latest = new Map<string, string>();
    for (const event of this.inOrder) {
      const { stream, revision, metadata } = event;
      if (!isHere(stream)) continue;
      const at = metadata.occurredAt;
      const before = latest.get(stream) ?? '';
      const message = `${at} is earlier than what came before it, ${before}`;
      const back: readonly Breach[] = at < before ? [{ rule: 'time', stream, revision, message }] : [];
      if (at > before) latest.set(stream, at);
      this.breaches.push(...eachRuleOnce([...back, ...rules.next(event)]));
    }
    this.applied = this.countOf(rules);
    return [...this.streams.entries()]
      .filter(([stream]) => stream.startsWith('mandate-') && isHere(stream))
      .map(([stream, { events }]) => {
        const { steps } = replayMandate(stream, events, version);
        return {
          stream,
          steps: steps.map(({ event: { revision, type }, breaches: _, refunded: __, ...step }) => ({
            revision,
            type,
            ...step,
          })),
        };
      });
  }

  private countOf(rules: LogRules): Applied {
    const here = [...this.streams].filter(([stream]) => this.isHere(stream));
    const count = (category: string) => here.filter(([stream]) => categoryIn(stream) === category).length;
    const [mandates, delegations, bookings] = [count('mandate'), count('delegation'), count('booking')];
    const [orders, flights] = [count('order'), count('flight')];
    const followed = here.filter(([stream]) => {
      return categoryIn(stream) === 'order' && rules.orders.find(stream.slice('order-'.length)) !== null;
    }).length;
    const others = here.length - mandates - delegations - bookings - orders - flights;
    const events = here.reduce((sum, [, one]) => sum + one.events.length, 0);
    return { events, mandates, delegations, bookings, orders, followed, flights, others };
  }

  /** Each statement stands on those before it: what nobody signed is in no log, and rules that were kept in it prove nothing. */
  private proven(): readonly Statement[] {
    const isBroken = (statement: Statement): boolean =>
      this.breaches.some(({ rule }) => (BROKEN_BY[rule] ?? ['rules']).includes(statement));
    const proven: Statement[] = [];
    const claim = (statement: Statement, ...onTopOf: readonly Statement[]): void => {
      if (!isBroken(statement) && onTopOf.every((one) => proven.includes(one))) proven.push(statement);
    };
    claim('signed');
    if (this.trust.policy.quorum !== 'none') claim('witnessed', 'signed');
    if (this.taken === 0) return proven;
    claim('logged', 'signed');
    // One event by itself was chained to nothing and judged by no rule.
    if (this.begun?.about == null) return proven;
    claim('chained', 'logged');
    if ([...this.streams.keys()].every((stream) => this.isHere(stream))) claim('rules', 'chained');
    const isScanned = this.trust.log && this.head && this.head.size <= MOST_ENTRIES;
    if (isScanned && !this.isKeyUnproven) claim('whole', 'chained');
    return proven;
  }

  private unproven(proven: readonly Statement[]): readonly Caveat[] {
    const isPartial = [...this.streams.values()].some(({ first }) => first > 0);
    return [
      ...(proven.includes('witnessed') ? [] : (['unwitnessed'] as const)),
      ...(proven.includes('whole') || this.isKeyUnproven ? [] : (['unscanned'] as const)),
      ...(this.isKeyUnproven ? (['keys'] as const) : []),
      ...(isPartial ? (['partial'] as const) : []),
      'pseudonyms',
      'selection',
      'outside',
    ];
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

const NOTHING: Applied = {
  events: 0,
  mandates: 0,
  delegations: 0,
  bookings: 0,
  orders: 0,
  followed: 0,
  flights: 0,
  others: 0,
};

interface Place {
  readonly stream: string;
  readonly revision?: number | null;
}

interface Beginning {
  readonly version: Version;
  readonly about: About | null;
  readonly checkpoint: string;
  readonly events: number;
}

/** What a breach leaves unproven; that of any other rule is one of what happened. */
const BROKEN_BY: Readonly<Record<string, readonly Statement[]>> = {
  format: ['whole'],
  subject: ['whole'],
  sequence: ['logged'],
  pseudonym: ['logged'],
  inclusion: ['logged'],
  checkpoint: ['signed'],
  chain: ['logged'],
  revision: ['chained'],
  log: ['whole'],
  fork: ['whole'],
  omitted: ['whole'],
};
