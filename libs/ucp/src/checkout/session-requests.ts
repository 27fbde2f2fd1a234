import { z } from 'zod';
import { buyerForm } from './stored-session.js';

/** Lines that are looked at: one is sold, and a longer list says nothing more. */
const MOST_LINES = 10;
/** The largest quantity that is no mistake of form. */
const MOST = 1_000_000;

const lineItems = z
  .array(
    z.object({
      item: z.object({ id: z.string().min(1).max(300) }),
      quantity: z.int().min(1).max(MOST),
    }),
  )
  .min(1)
  .max(MOST_LINES);

/** Body of a creation, and of an update, which replaces all that was said before (UCP, `checkout.json`). */
export const checkoutForm = z.object({
  line_items: lineItems,
  buyer: buyerForm.optional(),
  context: z.object({ eligibility: z.array(z.string()).max(50).optional() }).optional(),
  /** Read only where our extension is in use: whose it is otherwise, nobody knows. */
  flights: z.unknown().describe('A extensão {UCP_NAMESPACE}.shopping.flights: { passengers }.').optional(),
});
export type CheckoutInput = z.infer<typeof checkoutForm>;

const instrument = z.object({
  id: z.string().max(200),
  handler_id: z.string().max(200),
  type: z.string().max(100),
  selected: z.boolean().optional(),
  credential: z.object({ type: z.string().max(100), token: z.string().max(65_536).optional() }).optional(),
});
export type Instrument = z.infer<typeof instrument>;

/** Body of a completion (UCP, Complete Checkout). */
export const completionForm = z.object({
  /** Absent only where mandates are asked for, which then says so. */
  payment: z.object({ instruments: z.array(instrument).max(20).optional() }).optional(),
  ap2: z.object({ checkout_mandate: z.string().max(65_536).optional() }).optional(),
});
export type Completion = z.infer<typeof completionForm>;

/** The same where nothing but an instrument pays. */
export const paidForm = completionForm.required({ payment: true });

/** The instrument that is to pay: the one selected, or the only one. */
export const selectedIn = ({ payment: { instruments = [] } = {} }: Completion): Instrument | null =>
  instruments.find(({ selected }) => selected === true) ?? (instruments.length === 1 ? (instruments[0] ?? null) : null);
