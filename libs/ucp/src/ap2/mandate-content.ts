import { z } from 'zod';
import { canonicalJson } from '#kernel';
import { Ap2Error, mismatch } from './ap2-error.js';
import type { Claims } from './sd-jwt.js';

// The forms of AP2 0.2 (`code/sdk/schemas/ap2`). `vct` names the version too, and must be it exactly.

const merchant = z.object({ id: z.string().optional(), name: z.string(), website: z.string().optional() });
export type Merchant = z.infer<typeof merchant>;

const instrument = z.object({ id: z.string(), type: z.string() });
/** ISO 4217. */
const currency = z.string().regex(/^[A-Z]{3}$/);
/** Minor units. */
const minor = z.int().nonnegative();

export const closedCheckout = z.object({
  vct: z.literal('mandate.checkout.1'),
  checkout_jwt: z.string(),
  checkout_hash: z.string(),
});

export const closedPayment = z.object({
  vct: z.literal('mandate.payment.1'),
  transaction_id: z.string().min(1),
  payee: merchant,
  pisp: z.unknown().optional(),
  payment_amount: z.object({ amount: minor, currency }),
  payment_instrument: instrument,
  execution_date: z.string().optional(),
});
export type ClosedPayment = z.infer<typeof closedPayment>;

const open = { constraints: z.array(z.looseObject({ type: z.string() })) };
const openForms = {
  checkout: z.looseObject({ vct: z.literal('mandate.checkout.open.1'), ...open }),
  payment: z.looseObject({ vct: z.literal('mandate.payment.open.1'), ...open }),
};

const item = z.object({ id: z.string(), title: z.string().optional() });
const allowed = <T extends z.ZodType>(of: T) => z.array(of);

/** Every constraint that is understood, whole: a member of it that nobody knows could restrict it further. */
const checkoutConstraint = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('checkout.allowed_merchants'), allowed: allowed(merchant) }),
  z.strictObject({
    type: z.literal('checkout.line_items'),
    items: z
      .array(z.strictObject({ id: z.string(), acceptable_items: allowed(item), quantity: z.int().positive().max(99) }))
      .min(1)
      .max(20),
  }),
]);
export type CheckoutConstraint = z.infer<typeof checkoutConstraint>;

const FREQUENCIES = ['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'] as const;

const paymentConstraint = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('payment.agent_recurrence'),
    frequency: z.enum(FREQUENCIES),
    max_occurrences: z.int().positive().optional(),
  }),
  z.strictObject({ type: z.literal('payment.allowed_payees'), allowed: allowed(merchant) }),
  z.strictObject({ type: z.literal('payment.allowed_payment_instruments'), allowed: allowed(instrument) }),
  z.strictObject({ type: z.literal('payment.allowed_pisps'), allowed: allowed(z.unknown()) }),
  z.strictObject({ type: z.literal('payment.amount_range'), currency, max: minor, min: minor.optional() }),
  /** Not in minor units, unlike `amount_range`: a number with decimals, as the reference implementation reads it. */
  z.strictObject({ type: z.literal('payment.budget'), currency, max: z.number().nonnegative() }),
  z.strictObject({
    type: z.literal('payment.execution_date'),
    not_before: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
    not_after: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  }),
  z.strictObject({ type: z.literal('payment.reference'), conditional_transaction_id: z.string() }),
]);
export type PaymentConstraint = z.infer<typeof paymentConstraint>;
export type ConstraintOf<T extends PaymentConstraint['type']> = Extract<PaymentConstraint, { type: T }>;

const FORMS = { checkout: checkoutConstraint, payment: paymentConstraint };
interface ConstraintsOf {
  readonly checkout: CheckoutConstraint;
  readonly payment: PaymentConstraint;
}

/** Its form, or a mandate of another kind. @throws Ap2Error */
export const contentOf = <T>(form: z.ZodType<T>, content: Claims): T => {
  const read = form.safeParse(content);
  if (!read.success) throw new Ap2Error('mandate_invalid_signature', 'O conteúdo não é o de um mandato AP2 0.2.');
  return read.data;
};

/** What an open mandate may say for itself alone; whatever else it says, the closed one has to say too. */
const OF_ITS_OWN = ['vct', 'constraints', 'cnf', 'iss', 'sub', 'jti', 'iat', 'nbf', 'exp'];

/**
 * The constraints of an open mandate, each understood, after the closed one was seen to say whatever else it says
 * (AP2 0.2, Verification and Processing Rules, 2 and 3). @throws Ap2Error
 */
export const constraintsOf = <K extends keyof ConstraintsOf>(
  kind: K,
  content: Claims,
  closed: Claims,
): readonly ConstraintsOf[K][] => {
  const { constraints, ...members } = contentOf(
    openForms[kind] as z.ZodType<z.infer<(typeof openForms)['payment']>>,
    content,
  );
  for (const [name, value] of Object.entries(members)) {
    const isSaid =
      OF_ITS_OWN.includes(name) || (name in closed && canonicalJson(closed[name]) === canonicalJson(value));
    if (!isSaid) throw mismatch(`O mandato aberto diz outra coisa em ${name.slice(0, 40)}.`);
  }
  return constraints.map((constraint) => {
    const read = FORMS[kind].safeParse(constraint);
    if (read.success) return read.data as ConstraintsOf[K];
    const detail = `A restrição ${constraint.type.slice(0, 60)} não é conhecida desta forma.`;
    throw new Ap2Error('mandate_scope_mismatch', detail, { isUnresolved: true });
  });
};
