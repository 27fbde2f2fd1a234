import {
  type Document,
  type Documents,
  type ReadModelStore,
  type SealingKeys,
  SECRETS,
  storedSecret,
} from '#documents';
import { BEGINNING, type EventStore, type Position } from '#event-store';
import { categoryOf } from '#events';
import type { Clock, Instant } from '#kernel';
import { LEDGER, REFUNDS } from '#checkout';
import { Heads, nodeCrypto, pastHeads, Pseudonyms, StoredTiles, TLOG_PAST } from '#transparency';
import { type Breach, type Checkpoint, type Json, LedgerRules, LogRules, NEWEST, type OpenCheckout } from '#verifier';
import { Chains } from './chains.js';
import { auditedEvent, envelopeOf } from './envelope.js';
import { type ExpectedTree, TreeCheck } from './tree-check.js';

/** The most breaches reported one by one: a rewritten log may have one at every event. */
const LISTED = 10_000;

/** The breaches of an audit, all counted and the first ones listed. */
export class BreachList {
  readonly listed: Breach[] = [];
  count = 0;

  add(breaches: readonly Breach[]): void {
    this.count += breaches.length;
    for (const breach of breaches) if (this.listed.length < LISTED) this.listed.push(breach);
  }
}

/** Categories of events that only the rule of the chain looks at. */
const UNRULED: readonly string[] = ['traffic', 'security', 'audit', 'ticket', 'timetable', 'days'];
/** The only category that is not in the log of logs. */
const UNSEALED = 'traffic';
const ROWS = 500;

export interface AuditSources {
  readonly events: Pick<EventStore, 'head' | 'readPages'>;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly clock: Clock;
}

export interface VerifyOptions {
  /** Events before it are followed, and neither hashed nor judged; null: all are. */
  readonly since: Instant | null;
  /** What opens the stored secret of the pseudonyms. */
  readonly sealing: SealingKeys;
  /** Checkpoints that were kept elsewhere, each under its name. */
  readonly checkpoints?: readonly (readonly [name: string, checkpoint: Checkpoint])[];
  /** Called with the share of the log that is read, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

export interface LogReport {
  readonly events: number;
  readonly streams: number;
  /** The last event that was read; null: the log is empty. */
  readonly until: { readonly position: Position; readonly at: Instant } | null;
  /** How long (ms) reading the log took, and how long the ledger. */
  readonly took: { readonly log: number; readonly ledger: number };
  /** How many entries are sealed; null: none yet. */
  readonly sealed: number | null;
  /** Checkouts and cancellations that were open at the end of the log: nothing is wrong with them yet. */
  readonly open: readonly OpenCheckout[];
  /** Rows of the ledger, and how many of them are of orders that began after the end of the log. */
  readonly ledger: { readonly rows: number; readonly later: number };
  /** Of all there are: the first 10,000. */
  readonly breaches: readonly Breach[];
  readonly breachCount: number;
}

/** Checks chains, rules, trees and ledger, up to where the log ends now. Reads only: a server may go on beside it. */
export const verifyLog = async (sources: AuditSources, options: VerifyOptions): Promise<LogReport> => {
  const { clock, events: log } = sources;
  const { since, onProgress = () => undefined } = options;
  const began = clock.monotonic();
  // The head before the end of the log, so that the log holds what it says.
  const { trees, sealed } = await openTrees(sources, options);
  const end = await log.head();
  const until = end && { position: end.position, at: end.metadata.occurredAt };
  const chains = new Chains();
  const rules = new LogRules(nodeCrypto.sha256, NEWEST);
  const found = new BreachList();
  let events = 0;
  for await (const page of until ? log.readPages(null) : []) {
    for (const raw of page) {
      if (until && raw.position > until.position) break;
      events += 1;
      const { stream, revision } = raw;
      const envelope = envelopeOf(raw);
      if (!envelope) {
        const message = 'its metadata are not those of an event';
        const isNamed = stream !== '';
        const lost = `the event at position ${Number(raw.position)} has lost its stream`;
        found.add([
          isNamed
            ? { rule: 'form', stream, revision, message }
            : { rule: 'form', stream: 'log', revision: null, message: lost },
        ]);
        continue;
      }
      const isJudged = since === null || envelope.metadata.occurredAt >= since;
      const broken = chains.next(raw, envelope, isJudged);
      if (isJudged) found.add(broken);
      const category = categoryOf(stream);
      for (const tree of category === UNSEALED ? [] : trees) found.add(await tree.next(raw, envelope.metadata.hash));
      if (UNRULED.includes(category)) continue;
      const event = auditedEvent(raw, envelope.metadata);
      const breaches = event
        ? rules.next(event)
        : [{ rule: 'form', stream, revision, message: 'its data are no JSON object' }];
      if (isJudged) found.add(breaches);
    }
    const last = page.at(-1);
    if (until && last) onProgress(Math.min(1, Number(last.position) / Number(until.position)));
    if (until && last && last.position >= until.position) break;
  }
  for (const tree of trees) found.add(tree.end());
  const read = clock.monotonic();
  const ledger = await verifyLedger(sources, rules, { since, until: until?.at ?? '' }, found);
  return {
    events,
    streams: chains.size,
    until,
    took: { log: read - began, ledger: clock.monotonic() - read },
    sealed,
    open: [...rules.orders.stillOpen()],
    ledger,
    breaches: found.listed,
    breachCount: found.count,
  };
};

/** The trees of this log and of each before it, with their pseudonyms; a kept checkpoint goes with the log it names. */
const openTrees = async ({ documents, readModelStore }: AuditSources, { sealing, checkpoints = [] }: VerifyOptions) => {
  const heads = new Heads(documents);
  const tiles = new StoredTiles(readModelStore);
  const prepared = [TLOG_PAST, SECRETS].map((spec) => documents.prepare(spec));
  await Promise.all([heads.prepare(), tiles.prepare(), ...prepared]);
  const head = await heads.read();
  const past = await pastHeads(documents, sealing);
  const kept = (isMeant: (origin: string) => boolean): readonly ExpectedTree[] =>
    checkpoints
      .filter(([, { origin }]) => isMeant(origin))
      .map(([name, { size, root }]): ExpectedTree => ({ rule: 'checkpoint', name, size, root }));
  const before = past.map(({ origin, pseudonyms, head: last }) => {
    const signed: readonly ExpectedTree[] = last
      ? [{ rule: 'sealed', name: `the last head of ${origin}`, ...last }]
      : [];
    return new TreeCheck(pseudonyms, tiles, 0, last?.markedAfter ?? BEGINNING, [
      ...signed,
      ...kept((name) => name === origin),
    ]);
  });
  const own = kept((name) => past.every(({ origin }) => origin !== name));
  if (!head && own.length === 0) return { trees: before, sealed: null };
  const signed: readonly ExpectedTree[] = head ? [{ rule: 'sealed', name: 'the sealed head', ...head }] : [];
  const pseudonyms = new Pseudonyms(await storedSecret(documents, 'tlog-pseudonyms', sealing));
  const { size, markedAfter } = head ?? { size: 0, markedAfter: BEGINNING };
  const tree = new TreeCheck(pseudonyms, tiles, size, markedAfter, [...signed, ...own]);
  return { trees: [tree, ...before], sealed: head && size };
};

/** The ledger is read after the log: what it has of orders that the log does not know yet is passed over. */
const verifyLedger = async (
  { documents }: AuditSources,
  { orders }: LogRules,
  { since, until }: { readonly since: Instant | null; readonly until: Instant },
  found: BreachList,
): Promise<LogReport['ledger']> => {
  await documents.prepare(LEDGER);
  const rules = new LedgerRules(orders, { since, until });
  let rows = 0;
  for (let after: string | null = null; ;) {
    const page: readonly Document<Json>[] = await documents.scan<Json>(LEDGER.name, after, ROWS);
    for (const { id, body } of page) found.add(rules.next(id, body));
    rows += page.length;
    after = page.at(-1)?.id ?? null;
    if (page.length < ROWS) break;
  }
  await documents.prepare(REFUNDS);
  for (let after: string | null | undefined = null; after !== undefined;) {
    const page: readonly Document<Json>[] = await documents.scan<Json>(REFUNDS.name, after, ROWS);
    for (const { id, body } of page) found.add(rules.nextRefund(id, body));
    after = page.at(-1)?.id;
  }
  found.add([...rules.missing()]);
  return { rows, later: rules.later };
};
