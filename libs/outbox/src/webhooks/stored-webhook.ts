import { type Document, sealedSecret } from '#documents';
import { EVENT_TYPES, type EventType } from '../event-types.js';
import { z } from 'zod';
import { SIGNATURES } from './signing.js';

const types = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]; // its own keys

/** The place of an event, as it is kept with what became of it. */
export const storedPlace = z.object({
  key: z.string(),
  id: z.string(),
  type: z.enum(types),
  holder: z.string(),
  clientId: z.string(),
  lane: z.string(),
  stream: z.string(),
  revision: z.int(),
  at: z.string(),
  orderIds: z.array(z.string()).readonly().optional(),
});

const storedKey = z.object({
  signature: z.enum(SIGNATURES),
  sealed: sealedSecret,
  /** The public half, as it is shown; a secret has none. */
  publicKey: z.string().optional(),
  /** Until when it signs beside its successor; absent: it has none. */
  until: z.string().optional(),
});
export type StoredKey = z.infer<typeof storedKey>;

/** What makes an endpoint a subscription of MCP Events: the secret is its client's, and it ends by itself. */
const subscription = z.object({
  /** The mandate that it is about; absent: all of the agent's. */
  mandateId: z.string().optional(),
  /** Up to which place everything was taken or given up. */
  safe: z.string(),
});

/** Why nothing is sent: it failed for three days, its owner said that it is gone (410), or the agent or an operator stopped it. */
export const DISABLED_REASONS = ['failing', 'gone', 'agent', 'operator'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A delivery that arrived at the first try, of which nothing else is kept. */
const arrived = z.object({ place: storedPlace, at: z.string(), responseStatus: z.int() });
export type Arrived = z.infer<typeof arrived>;

export const storedWebhook = z.object({
  holder: z.string(),
  clientId: z.string(),
  /** Its owner, for its list; nobody, where it ends. */
  agent: z.string(),
  /** One of ten, so that there are never more. */
  slot: z.string(),
  url: z.string(),
  /** It is a platform of UCP: `url` is that of its profile, which has the address to post to. */
  isPlatform: z.literal(true).optional(),
  types: z.array(z.enum(types)).readonly(),
  description: z.string().optional(),
  keys: z.array(storedKey).readonly(),
  createdAt: z.string(),
  /** When anything but its cursor was changed last. */
  changedAt: z.string(),
  /** Counts what makes the sender look again at what waits: a replay, a delivery sent again, a test that arrived. */
  turn: z.int(),
  /** What happened before is not for it, though it may be written down later; absent once it asked for what was before. */
  since: z.string().optional(),
  /** Up to which place everything was delivered or is kept as a delivery; null: from the oldest kept. */
  cursor: z.string().nullable(),
  disabled: z.enum(DISABLED_REASONS).optional(),
  /** Since when nothing has arrived that was tried. */
  failingSince: z.string().optional(),
  /** Its agent was revoked: what waits is the last that it gets. */
  isEnding: z.literal(true).optional(),
  recent: z.array(arrived).readonly(),
  subscription: subscription.optional(),
});
export type StoredWebhook = z.infer<typeof storedWebhook>;
export type Webhook = Document<StoredWebhook>;

/** Changes with what makes the sender look again, and between two of one id: a subscription's comes again. */
export const turnOf = ({ createdAt, turn }: StoredWebhook): string => `${createdAt} ${turn}`;

/** As it is once its agent lets it be sent to again. What an operator stops meanwhile stays so. */
export const enabledAgain = (body: StoredWebhook): StoredWebhook => {
  if (body.disabled === 'operator') return body;
  const { disabled: _, failingSince: __, ...enabled } = body;
  return enabled;
};
