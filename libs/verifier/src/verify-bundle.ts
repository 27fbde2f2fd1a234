import type { Breach } from './audited-event.js';
import {
  type About,
  linesOf,
  LONGEST_LINE,
  parseEvent,
  parseHeader,
  parseProvenEvent,
  UnreadableBundle,
} from './bundle.js';
import { BundledStreams, type Place } from './bundled-streams.js';
import { base64, fromUtf8, Malformed } from './bytes.js';
import type { Crypto } from './crypto.js';
import { type Applied, type BundleReport, type Examined, NOTHING_APPLIED, provenBy, unprovenBy } from './report.js';
import { categoryIn, formFault } from './rules/event-forms.js';
import { eachRuleOnce, LogRules } from './rules/log.js';
import { replayMandate } from './rules/mandate.js';
import { type LogReader, MOST_ENTRIES, scanLog } from './scan-log.js';
import { type Checkpoint, parseCheckpoint } from './tlog/checkpoint.js';
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

class Verification {
  private begun: Beginning | null = null;
  private head: Checkpoint | null = null;
  private witnesses: readonly string[] = [];
  /** Lines that were read, good or not, the header among them. */
  lines = 0;
  private readonly breaches: Breach[] = [];
  private readonly streams: BundledStreams;
  private applied = NOTHING_APPLIED;
  /** Whether a stream has no entry of the second form, which would show that its key is its own, and the log has some. */
  private isKeyUnproven = false;

  constructor(private readonly trust: Trust) {
    this.streams = new BundledStreams(trust.crypto.sha256, (...breach) => this.report(...breach));
  }

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

  take(event: Parameters<BundledStreams['take']>[0]): void {
    this.streams.take(event, this.head);
  }

  async end(): Promise<BundleReport> {
    const { begun, head, streams } = this;
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
      const scanned = isBundle ? streams.scanned() : [];
      const { breaches, isMarked } = await scanLog(head, scanned, { ...this.trust, version, log: this.trust.log });
      this.breaches.push(...breaches);
      this.isKeyUnproven = isBundle && isMarked && [...streams.all.values()].some((stream) => !stream.isMarked);
    }
    const examined = this.examined();
    const proven = head ? provenBy(examined) : [];
    return {
      verdict: this.breaches.length === 0 ? 'sound' : 'broken',
      about: begun?.about ?? null,
      checkpoint: head && { ...head, root: base64(head.root), witnesses: this.witnesses },
      events: streams.taken,
      streams: [...streams.all].map(([stream, { names, first, events }]) => ({
        stream,
        pseudonym: names.pseudonym,
        first,
        events: events.length,
      })),
      mandates,
      applied: this.applied,
      breaches: this.breaches,
      proven,
      unproven: unprovenBy(examined, proven),
    };
  }

  private examined(): Examined {
    const { trust, begun, streams } = this;
    return {
      breaches: this.breaches,
      asksWitnesses: trust.policy.quorum !== 'none',
      about: begun?.about ?? null,
      events: streams.taken,
      isJudged: [...streams.all.keys()].every((stream) => streams.isHere(stream)),
      isPartial: [...streams.all.values()].some(({ first }) => first > 0),
      isScanned: trust.log !== undefined && this.head !== null && this.head.size <= MOST_ENTRIES,
      isKeyUnproven: this.isKeyUnproven,
    };
  }

  /** What a bundle is about has to be in it from its beginning. */
  private checkSubject(): void {
    const about = this.begun?.about ?? {};
    for (const subject of ['mandate', 'order'] as const) {
      const id = about[subject];
      if (id === undefined) continue;
      const stream = `${subject}-${id}`;
      if (this.streams.all.get(stream)?.first !== 0)
        this.report('subject', 'the bundle is about this stream, and does not have its beginning', { stream });
    }
  }

  /** The rules, of every stream that begins here and has no gap, and between two of them. */
  private checkRules(version: Version): BundleReport['mandates'] {
    const isHere = (stream: string) => this.streams.isHere(stream);
    const rules = new LogRules(this.trust.crypto.sha256, version, isHere);
    const latest = new Map<string, string>();
    for (const event of this.streams.inOrder) {
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
    return [...this.streams.all]
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
    const here = [...this.streams.all].filter(([stream]) => this.streams.isHere(stream));
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
}

interface Beginning {
  readonly version: Version;
  readonly about: About | null;
  readonly checkpoint: string;
  readonly events: number;
}
