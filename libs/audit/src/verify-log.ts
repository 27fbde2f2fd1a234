import type { EventStore, Position } from '#event-store';
import type { Clock, Instant } from '#kernel';
import { type Breach, LogRules } from '#verifier';
import { BreachList } from './breach-list.js';
import { Chains } from './chains.js';
import { auditedEvent, envelopeOf } from './envelope.js';

/** Categories whose events no rule looks at but that of the chain. */
const UNRULED = /^(?:traffic|security|audit)-/;

export interface VerifyOptions {
  /** Events before it are followed, and neither hashed nor judged; null: all are. */
  readonly since: Instant | null;
  /** Called with the share of the log that is read, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** What an audit of the log found. */
export interface LogReport {
  readonly events: number;
  readonly streams: number;
  /** The last event that was read; null: the log is empty. */
  readonly until: { readonly position: Position; readonly at: Instant } | null;
  /** How long it took, in ms. */
  readonly took: number;
  /** Of all there are: the first 10,000. */
  readonly breaches: readonly Breach[];
  readonly breachCount: number;
}

/**
 * Reads the log once, to where it ends now, and checks every chain and every rule. It only reads: a server may go on
 * beside it.
 */
export const verifyLog = async (
  { events: log, clock }: { readonly events: EventStore; readonly clock: Clock },
  { since, onProgress = () => undefined }: VerifyOptions,
): Promise<LogReport> => {
  const began = clock.monotonic();
  const head = await log.head();
  const until = head && { position: head.position, at: head.metadata.occurredAt };
  const chains = new Chains();
  const rules = new LogRules();
  const found = new BreachList();
  let events = 0;
  for await (const page of until ? log.readPages(null) : []) {
    for (const raw of page) {
      if (until && raw.position > until.position) break;
      events += 1;
      const envelope = envelopeOf(raw);
      if (!envelope) {
        const { stream, revision } = raw;
        found.add([{ rule: 'form', stream, revision, message: 'its metadata are not those of an event' }]);
        continue;
      }
      const isJudged = since === null || envelope.metadata.occurredAt >= since;
      const broken = chains.next(raw, envelope, isJudged);
      if (isJudged) found.add(broken);
      if (UNRULED.test(raw.stream)) continue;
      const event = auditedEvent(raw, envelope.metadata);
      const breaches = event
        ? rules.next(event)
        : [{ rule: 'form', stream: raw.stream, revision: raw.revision, message: 'its data are no JSON object' }];
      if (isJudged) found.add(breaches);
    }
    const last = page.at(-1);
    if (until && last) onProgress(Math.min(1, Number(last.position) / Number(until.position)));
    if (until && last && last.position >= until.position) break;
  }
  const { listed, count } = found;
  return {
    events,
    streams: chains.size,
    until,
    took: clock.monotonic() - began,
    breaches: listed,
    breachCount: count,
  };
};
