import { Collection, type CollectionSpec, type Documents } from '#documents';
import { CURRENCIES } from '#kernel';
import { z } from 'zod';
import type { ChargeOutcome } from './payment-processor.port.js';

/** One row an order: `challenged → approved → captured | refused | closed`, by compare-and-set (rules 4 and 10). */
export const LEDGER: CollectionSpec = { name: 'payment-ledger', indexes: [] };

const money = z.object({ amount: z.int(), currency: z.enum(CURRENCIES) });
const card = { brand: z.string(), last4: z.string() };
const reason = z.enum([
  'payment_declined',
  'payment_insufficient_funds',
  'payment_challenge_failed',
  'payment_not_completed',
]);
const finalRow = z.discriminatedUnion('status', [
  z.object({ status: z.literal('captured'), id: z.string(), amount: money, capturedAt: z.string(), ...card }),
  z.object({ status: z.literal('refused'), reason }),
  z.object({ status: z.literal('closed') }),
]);
/** A charge that waits for the decision of its holder, or for its capture after it. */
const waitingRow = z.object({
  status: z.enum(['challenged', 'approved']),
  amount: money,
  expiresAt: z.string(),
  ...card,
});
export const ledgerRow = z.union([finalRow, waitingRow]);

export type RefusalReason = z.infer<typeof reason>;
export type FinalRow = z.infer<typeof finalRow>;
export type WaitingRow = z.infer<typeof waitingRow>;
export type LedgerRow = FinalRow | WaitingRow;

/** The row of an order, for who audits it; null: there is none. */
export const ledgerRowOf = async (documents: Documents, orderId: string): Promise<LedgerRow | null> =>
  (await new Collection(documents, LEDGER, ledgerRow).get(orderId))?.body ?? null;

export const isWaiting = (row: LedgerRow): row is WaitingRow =>
  row.status === 'challenged' || row.status === 'approved';

/** The outcome that a row stands for. An approved charge still waits, for its capture. */
export const outcomeOf = (row: LedgerRow): ChargeOutcome => {
  if (!isWaiting(row)) return row;
  const { expiresAt, brand, last4 } = row;
  return { status: 'challenged', expiresAt, brand, last4 };
};
