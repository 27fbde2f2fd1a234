import { Collection, type CollectionSpec, type Document, type Documents } from '#documents';
import { CURRENCIES } from '#kernel';
import { z } from 'zod';
import { passengersForm } from '../flights/flights.forms.js';

/** A checkout session: what a platform put together. Its booking and order, which have its id, say what came of it. */
export const SESSIONS: CollectionSpec = {
  name: 'ucp-sessions',
  indexes: [{ fields: ['holder'] }, { fields: ['traveller'] }, { fields: ['waiting'] }],
};

/** Who buys, as the platform says it (UCP, `types/buyer.json`). */
export const buyerForm = z.object({
  first_name: z.string().max(100).optional(),
  last_name: z.string().max(100).optional(),
  email: z.string().max(254).optional(),
  phone_number: z.string().max(40).optional(),
});
export type Buyer = z.infer<typeof buyerForm>;

/** What is bought, at the price that the platform was shown last. Amounts are of one passenger. */
const line = z.object({
  flightId: z.string(),
  fareCode: z.string(),
  quantity: z.int(),
  title: z.string(),
  price: z.int(),
  taxes: z.int(),
  currency: z.enum(CURRENCIES),
});
export type SessionLine = z.infer<typeof line>;

export const storedSession = z.object({
  /** The address of the platform's profile, and whether it proved to be that platform. */
  platform: z.string(),
  isProven: z.boolean(),
  line,
  /** Whether more lines were asked for: none is sold with the first. */
  hasOthers: z.boolean(),
  buyer: buyerForm.optional(),
  /** Who flies; absent: nobody was named. */
  travellers: passengersForm.readonly().optional(),
  /** Whether it is only bought by mandates of AP2 (UCP, AP2 Mandates, Session Locking). */
  isLocked: z.literal(true).optional(),
  createdAt: z.string(),
  /** Until when it may be completed. */
  expiresAt: z.string(),
  canceledAt: z.string().optional(),
  /** Whether it was its traveller who refused it. */
  isRefused: z.literal(true).optional(),
  /** By which mandate a traveller buys it who decided so on its page. */
  approval: z.object({ mandateId: z.string() }).optional(),
  /** The purchases that hold it, each until it ends; who outlives `completingUntil` is let go of by others. */
  purchases: z.array(z.string()).readonly().optional(),
  completingUntil: z.string().optional(),
  /** What was let go of may still be on its way to the booking. */
  isFenceDue: z.literal(true).optional(),
  /** For whom it is bought; null: nobody is known yet. */
  holder: z.string().nullable(),
  /** By whose token it was begun or changed: nobody else buys it. Absent: by nobody's. */
  traveller: z.string().optional(),
  /** Whom it counts for while nobody knows its traveller: how its platform is known, and by which host. */
  waiting: z.string().optional(),
});
export type StoredSession = z.infer<typeof storedSession>;
export type Session = Document<StoredSession>;

/** Whether a session is another traveller's than this one. */
export const isOfOther = ({ traveller, holder }: StoredSession, who: string): boolean =>
  (traveller ?? holder ?? who) !== who;

/** Erases what platforms put together that this traveller bought or tried to, or by their token; returns how many there were. */
export const forgetSessions = async (documents: Documents, holder: string): Promise<number> => {
  const sessions = new Collection(documents, SESSIONS, storedSession);
  return (await sessions.deleteAll('holder', holder)) + (await sessions.deleteAll('traveller', holder));
};
