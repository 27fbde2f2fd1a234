import { createHash } from 'node:crypto';
import { type Breach, LedgerRules, LogRules, NEWEST } from '#verifier';
import type { Books } from '../../support/books.js';

/** What the auditor's own rules find in books where everything is settled. The chains are looked at by `findings`. */
export const auditorFindings = ({ events, ledger, refunds }: Books): readonly string[] => {
  const rules = new LogRules((bytes) => createHash('sha256').update(bytes).digest(), NEWEST);
  const found: Breach[] = events.flatMap(({ stored }) => rules.next(stored));
  const until = events.at(-1)?.stored.metadata.occurredAt ?? '';
  const rows = new LedgerRules(rules.orders, { since: null, until });
  for (const [orderId, row] of ledger) found.push(...rows.next(orderId, { ...row }));
  for (const [orderId, row] of refunds) found.push(...rows.nextRefund(orderId, { ...row }));
  found.push(...rows.missing());
  const open = [...rules.orders.stillOpen()].map(({ orderId }) => `order ${orderId} is still open`);
  return [...found.map(shown), ...open].map((finding) => `auditor: ${finding}`);
};

const shown = ({ rule, stream, revision, message }: Breach): string =>
  `${rule} in ${stream}@${revision ?? 'all'}: ${message}`;
