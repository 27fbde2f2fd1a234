import type { CollectionSpec } from '#documents';
import type { Instant, Money } from '#kernel';
import type { CardSummary } from './card.js';
import type { ChargeOutcome, FinalOutcome } from './payment-processor.port.js';

/**
 * The ledger: one row an order. It moves `challenged → approved → captured | refused | closed`, or is final from the
 * start; each move is one compare-and-set (docs/consistency.md, rules 4 and 10).
 */
export const LEDGER: CollectionSpec = { name: 'payment-ledger', indexes: [] };

/** A charge that waits for its holder's word, or for its capture after it. */
export interface WaitingRow extends CardSummary {
  readonly status: 'challenged' | 'approved';
  readonly amount: Money;
  readonly expiresAt: Instant;
}

export type LedgerRow = FinalOutcome | WaitingRow;

export const isWaiting = (row: LedgerRow): row is WaitingRow =>
  row.status === 'challenged' || row.status === 'approved';

/** What the ledger says of a charge; an approved one still waits, for its capture. */
export const outcomeOf = (row: LedgerRow): ChargeOutcome => {
  if (!isWaiting(row)) return row;
  const { expiresAt, brand, last4 } = row;
  return { status: 'challenged', expiresAt, brand, last4 };
};
