import { canonicalJson, type Money } from '#kernel';
import { Ap2Error, mismatch } from './ap2-error.js';
import { holdsForCheckout, holdsForPayment, isMerchant, type Item, type PaymentFacts } from './constraints.js';
import { type MandateChain, verifyChain, type Verifying } from './mandate-chain.js';
import {
  closedCheckout,
  type ClosedPayment,
  closedPayment,
  constraintsOf,
  contentOf,
  type Merchant,
  type PaymentConstraint,
} from './mandate-content.js';
import { checkoutOf, type PublishedKeys, type SignedCheckout } from './merchant-authorization.js';
import { digestOf } from './sd-jwt.js';

/** What the request of completion brings: without either it is `mandate_required`. */
export interface PresentedMandates {
  /** `ap2.checkout_mandate`. */
  readonly checkout?: string | undefined;
  /** `credential.token` of the instrument that is selected. */
  readonly payment?: string | undefined;
}

/** What the mandates have to be of. */
export interface Purchase {
  /** The checkout as it is answered now. */
  readonly checkout: SignedCheckout & { readonly line_items: readonly LineItem[] };
  readonly total: Money;
  readonly us: Merchant;
  readonly ourKeys: PublishedKeys;
}

interface LineItem {
  readonly item: { readonly id: string };
  readonly quantity: number;
}

/** A closed mandate: by what receipts name it, and by what it is redeemed once. */
export type ClosedMandate = Pick<MandateChain, 'reference' | 'redemption'>;

/** What an open payment mandate permits: the one of ours that stands for it is made of this. */
export interface OpenPermission {
  /** By what it is the same one whenever it is shown again. */
  readonly id: string;
  /** Milliseconds since 1970; null: it does not say. */
  readonly issuedAt: number | null;
  readonly endsAt: number | null;
  /** Those of the first mandate: what agents add to it for other agents permits nothing. */
  readonly constraints: readonly PaymentConstraint[];
}

/** A purchase that somebody authorized, and by what. */
export interface Authorized {
  readonly signer: MandateChain['signer'];
  readonly checkout: ClosedMandate;
  readonly payment: ClosedMandate & { readonly instrument: ClosedPayment['payment_instrument'] };
  /** null: the closed mandates were signed by the traveller, or by who speaks for them. */
  readonly open: OpenPermission | null;
}

/** Verifies both mandates of a purchase, and that they are of this one (UCP, AP2 Mandates, Business Verification). @throws Ap2Error */
export const verifyMandates = async (
  { checkout, payment }: PresentedMandates,
  purchase: Purchase,
  verifying: Verifying,
): Promise<Authorized> => {
  if (!checkout) throw new Ap2Error('mandate_required');
  const checkoutChain = await verifyChain(checkout, verifying);
  const checkoutJwt = await verifyCheckout(checkoutChain, purchase);
  if (!payment) throw new Ap2Error('mandate_required');
  const paymentChain = await verifyChain(payment, verifying);
  const { signer } = paymentChain;
  if (checkoutChain.signer.holder !== signer.holder || checkoutChain.signer.platform !== signer.platform)
    throw mismatch('O mandato da compra e o do pagamento são de pessoas diferentes.');
  const openCheckouts = checkoutChain.open.flatMap(({ digests }) => digests);
  const facts = { us: purchase.us, now: verifying.now, openCheckouts };
  const { closed, constraints } = verifyPayment(paymentChain, checkoutJwt, purchase.total, facts);
  const [root] = paymentChain.open;
  return {
    signer,
    checkout: closedMandate(checkoutChain),
    payment: { ...closedMandate(paymentChain), instrument: closed.payment_instrument },
    open: root
      ? { id: root.id, issuedAt: paymentChain.issuedAt, endsAt: endOf(checkoutChain, paymentChain), constraints }
      : null,
  };
};

const closedMandate = ({ reference, redemption }: MandateChain): ClosedMandate => ({ reference, redemption });

const endOf = (...chains: readonly MandateChain[]) => {
  const ends = chains.flatMap(({ endsAt }) => endsAt ?? []);
  return ends.length ? Math.min(...ends) : null;
};

/** Of an answer these say nothing of what is bought, or are no part of what was signed. */
const NO_TERMS = [
  'ap2',
  'ucp',
  'status',
  'messages',
  'links',
  'continue_url',
  'expires_at',
  'payment',
  'payment_handlers',
];

const termsOf = (checkout: SignedCheckout) =>
  canonicalJson(Object.fromEntries(Object.entries(checkout).filter(([name]) => !NO_TERMS.includes(name))));

/** The checkout mandate is of this checkout, and its open ones allow it. Returns the merchant's JWT in it. @throws Ap2Error */
export const verifyCheckout = async (
  { closed: content, open, algorithm }: MandateChain,
  { checkout, us, ourKeys }: Pick<Purchase, 'checkout' | 'us' | 'ourKeys'>,
): Promise<string> => {
  const closed = contentOf(closedCheckout, content);
  if (closed.checkout_hash !== digestOf(closed.checkout_jwt, algorithm))
    throw new Ap2Error('mandate_invalid_signature', 'checkout_hash não é o hash de checkout_jwt.');
  const embedded = await checkoutOf(closed.checkout_jwt, ourKeys);
  if (termsOf(embedded) !== termsOf(checkout)) throw mismatch('A compra já não é a que foi autorizada.');
  const items: readonly Item[] = checkout.line_items.map(({ item, quantity }) => ({ id: item.id, quantity }));
  for (const { content: openContent } of open)
    for (const constraint of constraintsOf('checkout', openContent, content))
      if (!holdsForCheckout(constraint, us, items)) throw mismatch(`A restrição ${constraint.type} não é cumprida.`);
  return closed.checkout_jwt;
};

/** What the mandate of ours counts: the traveller's own word alone says how much of it there is, and no agent's. */
const COUNTED: readonly PaymentConstraint['type'][] = ['payment.budget', 'payment.agent_recurrence'];

/** The payment mandate pays this checkout, us, this amount and at once, and its open ones allow it. @throws Ap2Error */
export const verifyPayment = (
  { closed: content, open, algorithm }: MandateChain,
  checkoutJwt: string,
  total: Money,
  facts: PaymentFacts,
) => {
  const closed = contentOf(closedPayment, content);
  if (closed.transaction_id !== digestOf(checkoutJwt, algorithm)) throw mismatch('O pagamento é de outra compra.');
  if (!isMerchant(closed.payee, facts.us)) throw mismatch('O pagamento é para outra loja.');
  const { amount, currency } = closed.payment_amount;
  if (currency !== total.currency || amount !== total.amount) throw mismatch('O pagamento é de outro valor.');
  if (closed.pisp !== undefined) throw mismatch('O pagamento passaria por um iniciador de pagamentos.');
  if (!(Date.parse(closed.execution_date ?? '1970-01-01') <= facts.now.getTime()))
    throw mismatch('O pagamento é para outro dia.');
  const [constraints = [], ...passedOn] = open.map((hop) => constraintsOf('payment', hop.content, content));
  for (const constraint of [constraints, ...passedOn].flat())
    if (!holdsForPayment(constraint, closed, facts)) throw mismatch(`A restrição ${constraint.type} não é cumprida.`);
  for (const { type } of passedOn.flat())
    if (COUNTED.includes(type))
      throw new Ap2Error('mandate_scope_mismatch', `Só quem abriu o mandato diz ${type}.`, { isUnresolved: true });
  return { closed, constraints };
};
