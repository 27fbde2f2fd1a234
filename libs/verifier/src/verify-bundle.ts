import type { AuditedEvent, Breach } from './audited-event.js';
import {
  type About,
  type BundledEvent,
  parseEvent,
  parseHeader,
  parseLoggedEvent,
  UnreadableBundle,
} from './bundle.js';
import { base64, fromBase64, fromUtf8, hex, Malformed } from './bytes.js';
import { CHAIN_START, expectedHash, hashBytes } from './chain.js';
import type { Crypto } from './crypto.js';
import type { BundleReport, Caveat, Statement } from './report.js';
import { LogRules } from './rules/log.js';
import { replayMandate } from './rules/mandate.js';
import { type LogReader, type ScannedStream, scanLog } from './scan-log.js';
import { type Checkpoint, parseCheckpoint } from './tlog/checkpoint.js';
import { entryBytes } from './tlog/entry.js';
import { leafHash, verifyInclusion } from './tlog/merkle.js';
import { parseNote, Unverified } from './tlog/note.js';
import { type Policy, verifyCheckpoint } from './tlog/policy.js';
import { parseProof } from './tlog/proof.js';

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

/** Verifies the lines of a bundle. Whatever is wrong with it is in the report; it throws only what the log's reader throws. */
export const verifyBundle = async (
  lines: AsyncIterable<string> | Iterable<string>,
  trust: Trust,
): Promise<BundleReport> => {
  const verification = new Verification(trust);
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    try {
      if (number > 1) verification.take(parseEvent(line));
      else await verification.begin(parseHeader(line));
    } catch (error) {
      verification.tell('format', `line ${number}: ${unreadable(error)}`);
      if (number === 1) break;
    }
  }
  return verification.end();
};

/** Verifies a `.tlog-proof` whose `extra` line holds the event of its entry, such as that of a receipt. */
export const verifyProvenEvent = async (proof: string, trust: Trust): Promise<BundleReport> => {
  const verification = new Verification(trust);
  try {
    const { extra, index, hashes, checkpoint } = parseProof(proof);
    if (!extra) throw new Malformed('it has no line "extra" with the event of its entry');
    await verification.begin({ about: null, checkpoint, events: 1 });
    verification.take({ ...parseLoggedEvent(fromUtf8(extra)), index, proof: hashes.map(base64) });
  } catch (error) {
    verification.tell('format', unreadable(error));
  }
  return verification.end();
};

/** What is wrong with the form of a line or a proof; anything else is thrown on. */
const unreadable = (error: unknown): string => {
  if (error instanceof UnreadableBundle || error instanceof Malformed || error instanceof RangeError)
    return error.message;
  throw error;
};

/** A stream as far as it was read. */
interface StreamSoFar {
  readonly pseudonym: string;
  readonly first: number;
  readonly events: AuditedEvent[];
}

class Verification {
  private begun: Beginning | null = null;
  private head: Checkpoint | null = null;
  private witnesses: readonly string[] = [];
  private lastIndex = -1;
  private taken = 0;
  private readonly streams = new Map<string, StreamSoFar>();
  private readonly streamOf = new Map<string, string>();
  private readonly inOrder: AuditedEvent[] = [];
  private readonly breaches: Breach[] = [];

  constructor(private readonly trust: Trust) {}

  tell(rule: string, message: string, { stream, revision = null }: Place = { stream: BUNDLE }): void {
    this.breaches.push({ rule, stream, revision, message });
  }

  async begin(beginning: Beginning): Promise<void> {
    this.begun = beginning;
    this.head = parseCheckpoint(parseNote(beginning.checkpoint).text);
    try {
      const { policy, crypto } = this.trust;
      ({ witnesses: this.witnesses } = await verifyCheckpoint(beginning.checkpoint, policy, crypto));
    } catch (error) {
      if (!(error instanceof Unverified)) throw error;
      this.tell('checkpoint', error.message);
    }
  }

  take(event: BundledEvent): void {
    this.taken += 1;
    const { stream, revision, pseudonym, index, previousHash, metadata } = event;
    if (index <= this.lastIndex)
      this.tell('sequence', `its entry ${index} does not come after ${this.lastIndex}`, event);
    this.lastIndex = Math.max(this.lastIndex, index);
    this.checkInclusion(event);

    const known = this.streams.get(stream);
    const owner = this.streamOf.get(pseudonym);
    if ((known && known.pseudonym !== pseudonym) || (owner !== undefined && owner !== stream))
      this.tell('pseudonym', `${pseudonym} does not stand for this stream alone, or not always`, event);
    this.streamOf.set(pseudonym, owner ?? stream);

    const soFar = known ?? { pseudonym, first: revision, events: [] };
    this.streams.set(stream, soFar);
    const before = soFar.events.at(-1);
    const next = before ? before.revision + 1 : soFar.first;
    if (revision !== next) this.tell('revision', `revision ${revision} stands where ${next} belongs`, event);
    else if (previousHash !== (before?.metadata.hash ?? (revision === 0 ? hex(CHAIN_START) : previousHash)))
      this.tell('chain', 'it is not chained to the event before it', event);
    soFar.events.push(event);
    this.inOrder.push(event);
    const previous = hashBytes(previousHash) ?? CHAIN_START;
    if (hex(expectedHash(this.trust.crypto.sha256, previous, event)) !== metadata.hash)
      this.tell('chain', 'its hash is not that of its content', event);
  }

  private checkInclusion(event: BundledEvent): void {
    if (!this.head) return;
    const { sha256 } = this.trust.crypto;
    const leaf = leafHash(sha256, entryBytes(event.pseudonym, event.revision, event.metadata.hash));
    const proof = event.proof.map(fromBase64);
    if (!verifyInclusion(sha256, { index: event.index, ...this.head, leaf, proof }))
      this.tell('inclusion', `its entry does not stand at ${event.index} of the log`, event);
  }

  async end(): Promise<BundleReport> {
    const { begun, head } = this;
    if (!begun && this.breaches.length === 0) this.tell('format', 'it is empty');
    if (begun && begun.events !== this.taken) this.tell('format', `${this.taken} events, and it says ${begun.events}`);
    this.checkSubject();
    const mandates = this.checkRules();
    if (head && this.trust.log) {
      const scanned = [...this.streams].map(([stream, { pseudonym, first, events }]): ScannedStream => {
        return {
          stream,
          pseudonym,
          first,
          hashes: new Map(events.map(({ revision, metadata }) => [revision, metadata.hash])),
        };
      });
      this.breaches.push(...(await scanLog(head, scanned, { ...this.trust, log: this.trust.log })));
    }
    const proven = head ? this.proven() : [];
    return {
      verdict: this.breaches.length === 0 ? 'sound' : 'broken',
      about: begun?.about ?? null,
      checkpoint: head && { ...head, root: base64(head.root), witnesses: this.witnesses },
      events: this.taken,
      streams: [...this.streams].map(([stream, { pseudonym, first, events }]) => {
        return { stream, pseudonym, first, events: events.length };
      }),
      mandates,
      breaches: this.breaches,
      proven,
      unproven: this.unproven(proven),
    };
  }

  /** What a bundle is about has to be in it from its beginning. */
  private checkSubject(): void {
    const about = this.begun?.about ?? {};
    for (const subject of ['mandate', 'order'] as const) {
      const id = about[subject];
      if (id === undefined) continue;
      const stream = `${subject}-${id}`;
      if (this.streams.get(stream)?.first !== 0)
        this.tell('subject', 'the bundle is about this stream, and does not have its beginning', { stream });
    }
  }

  /** The rules, of every stream that begins here and has no gap, and between two of them. */
  private checkRules(): BundleReport['mandates'] {
    const gaps = new Set(this.breaches.flatMap(({ rule, stream }) => (rule === 'revision' ? stream : [])));
    const isHere = (stream: string) => this.streams.get(stream)?.first === 0 && !gaps.has(stream);
    const rules = new LogRules(isHere);
    for (const event of this.inOrder) if (isHere(event.stream)) this.breaches.push(...rules.next(event));
    return [...this.streams.entries()]
      .filter(([stream]) => stream.startsWith('mandate-') && isHere(stream))
      .map(([stream, { events }]) => {
        const { steps } = replayMandate(stream, events);
        return {
          stream,
          steps: steps.map(({ event: { revision, type }, breaches: _, ...step }) => ({ revision, type, ...step })),
        };
      });
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
    claim('chained', 'logged');
    claim('rules', 'chained');
    if (this.trust.log) claim('whole', 'chained');
    return proven;
  }

  private unproven(proven: readonly Statement[]): readonly Caveat[] {
    const isPartial = [...this.streams.values()].some(({ first }) => first > 0);
    return [
      ...(proven.includes('witnessed') ? [] : (['unwitnessed'] as const)),
      ...(proven.includes('whole') ? [] : (['unscanned'] as const)),
      ...(isPartial ? (['partial'] as const) : []),
      'pseudonyms',
      'selection',
      'outside',
    ];
  }
}

interface Place {
  readonly stream: string;
  readonly revision?: number | null;
}

/** What a bundle or a proof begins with. */
interface Beginning {
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
