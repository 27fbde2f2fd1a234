import { ERROR_CATALOGUE } from '#http';
import type { ErrorCode } from '#kernel';
import type { ErrorMessage, Message, Severity } from '../envelope.js';

interface Word {
  /** Absent: the code of our own catalogue. */
  readonly code?: string;
  readonly severity: Severity;
  readonly path: string;
}

const LINE = '$.line_items[0]';
const PAYMENT = '$.payment';
const failed: Word = { code: 'payment_failed', severity: 'recoverable', path: PAYMENT };
const unavailable: Word = { code: 'item_unavailable', severity: 'recoverable', path: LINE };
const otherPrice: Word = { code: 'price_changed', severity: 'recoverable', path: LINE };
const byOtherMeans: Word = { severity: 'recoverable', path: PAYMENT };
const byTraveller: Word = { severity: 'requires_buyer_review', path: PAYMENT };

/** What refuses a purchase, in the words of UCP (Checkout, Standard Errors). Whatever is not here is no outcome of a checkout. */
const WORDS: Readonly<Partial<Record<ErrorCode, Word>>> = {
  invalid_flight: unavailable,
  invalid_fare: unavailable,
  flight_departed: unavailable,
  flight_cancelled: unavailable,
  seats_unavailable: { code: 'out_of_stock', severity: 'recoverable', path: `${LINE}.quantity` },
  total_changed: otherPrice,
  offer_expired: otherPrice,
  payment_declined: failed,
  payment_insufficient_funds: failed,
  payment_card_expired: failed,
  payment_card_invalid: failed,
  payment_challenge_failed: failed,
  payment_not_completed: failed,
  payment_challenge_required: byTraveller,
  mandate_pending: byTraveller,
  agents_paused: byTraveller,
  mandate_paused: byTraveller,
  invalid_token: byTraveller,
  mandate_revoked: byOtherMeans,
  mandate_expired: byOtherMeans,
  mandate_required: byOtherMeans,
  mandate_limit_exceeded: byOtherMeans,
  mandate_scope_insufficient: byOtherMeans,
  mandate_constraint_violated: byOtherMeans,
  mandate_client_mismatch: byOtherMeans,
  mandate_cap_exceeded: byOtherMeans,
  mandate_redeemed: byOtherMeans,
  currency_mismatch: byOtherMeans,
  invalid_mandate: byOtherMeans,
};

/** Whether a refusal is an outcome of a checkout, which its platform finds in the checkout itself. */
export const isOutcome = (code: ErrorCode): boolean => code in WORDS;

export const said = (code: ErrorCode): ErrorMessage => {
  const { code: own = code, severity, path } = WORDS[code] ?? unavailable;
  return { type: 'error', code: own, content: ERROR_CATALOGUE[code].message, severity, path };
};

/** Whether a message says that what should have paid does not. */
export const refusesPayment = (message: Message): message is ErrorMessage =>
  message.type === 'error' && message.path === PAYMENT && message.severity === 'recoverable';

/** The message to a platform: an order redeemed its AP2 mandates before. */
export const redeemedBy = (orderId: string): ErrorMessage => {
  const message = said('mandate_redeemed');
  return { ...message, content: `${message.content} Foi usado no pedido ${orderId}.` };
};

/** The message to a platform: its traveller has to look at the purchase themselves. */
export const NEEDS_TRAVELLER: ErrorMessage = {
  type: 'error',
  code: 'buyer_approval_required',
  content: 'O viajante precisa aprovar esta compra: leve-o ao endereço em continue_url.',
  severity: 'requires_buyer_review',
  path: '$.payment',
};

/** The message to a platform: its traveller refuses the purchase. */
export const REFUSED: ErrorMessage = {
  type: 'error',
  code: 'buyer_declined',
  content: 'O viajante recusou esta compra.',
  severity: 'unrecoverable',
};
