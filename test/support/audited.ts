import { createHash } from 'node:crypto';
import { type AuditedEvent, type Breach, chainBreaches, LedgerRules, LogRules, replayMandate } from '#verifier';
import type { Books } from './books.js';

/** What the verifier finds in books where everything is settled: in what the program has written, nothing. */
export const breachesIn = ({ events, ledger }: Books): readonly string[] => {
  const streams = new Map<string, AuditedEvent[]>();
  const rules = new LogRules();
  const found: Breach[] = [];
  for (const { stored } of events) {
    found.push(...rules.next(stored));
    streams.set(stored.stream, [...(streams.get(stored.stream) ?? []), stored]);
  }
  const until = events.at(-1)?.stored.metadata.occurredAt ?? '';
  const rows = new LedgerRules(rules.orders, { since: null, until });
  for (const [orderId, row] of ledger) found.push(...rows.next(orderId, { ...row }));
  found.push(...rows.missing());
  for (const [stream, its] of streams) {
    found.push(...chainBreaches((bytes) => createHash('sha256').update(bytes).digest(), its));
    if (stream.startsWith('mandate-')) found.push(...replayMandate(stream, its).breaches);
  }
  const open = [...rules.orders.stillOpen()].map(({ orderId }) => `order ${orderId} is still open`);
  return [...found.map(shown), ...open];
};

const shown = ({ rule, stream, revision, message }: Breach): string =>
  `${rule} in ${stream}@${revision ?? 'all'}: ${message}`;
