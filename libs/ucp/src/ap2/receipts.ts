import type { Refused } from './ap2-error.js';
import type { StatusClaim } from './status-lists.js';
import { type SigningKey, signText } from './merchant-authorization.js';

/** What came of a mandate (AP2 0.2, `checkout_receipt`, `payment_receipt`). `reference`: the hash of the closed one. */
export interface ReceiptOf {
  /** The address of who signs it. */
  readonly iss: string;
  readonly reference: string;
  readonly now: Date;
  /** That the public log has the payment (docs/audit-format.md, Proofs); absent: it was not sealed yet, or there is none. */
  readonly log?: string | undefined;
  /** Which list says how the order stands now; a receipt's own `status` is another. Absent: there is no order. */
  readonly tokenStatus?: StatusClaim | undefined;
}

/** The merchant's word on a checkout mandate: the order, or why there is none. */
export const checkoutReceipt = (of: ReceiptOf, outcome: { readonly orderId: string } | Refused, key: SigningKey) =>
  signReceipt(of, 'orderId' in outcome ? { status: 'Success', order_id: outcome.orderId } : refusal(outcome), key);

/** The processor's word on a payment mandate. `paymentId`: of the attempt, accepted or not; `confirmationId`: of its charge. */
export const paymentReceipt = (
  of: ReceiptOf,
  paymentId: string,
  outcome: { readonly confirmationId: string } | Refused,
  key: SigningKey,
) => {
  const said =
    'confirmationId' in outcome
      ? {
          status: 'Success',
          psp_confirmation_id: outcome.confirmationId,
          // The test processor is its own network.
          network_confirmation_id: outcome.confirmationId,
        }
      : refusal(outcome);
  return signReceipt(of, { payment_id: paymentId, ...said }, key);
};

const refusal = ({ code, description }: Refused) => ({ status: 'Error', error: code, error_description: description });

const signReceipt = (
  { iss, reference, now, log, tokenStatus }: ReceiptOf,
  said: Readonly<Record<string, string>>,
  key: SigningKey,
) =>
  signText(
    JSON.stringify({ iss, iat: Math.floor(now.getTime() / 1_000), reference, ...said, log, token_status: tokenStatus }),
    key,
    'JWT',
  );
