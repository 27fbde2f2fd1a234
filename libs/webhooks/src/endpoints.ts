import {
  Collection,
  type CollectionSpec,
  type Document,
  type Documents,
  resealed,
  seal,
  sealedSecret,
  type SealingKeys,
  unseal,
} from '#documents';
import { DomainError, type Instant, isId, type Party, partyKey, plus } from '#kernel';
import { EVENT_TYPES, type EventType } from '#outbox';
import { z } from 'zod';
import { newKey, type SignatureKind, SIGNATURES, type SigningKey } from './signing.js';

/** The endpoints of agents, which no log can rebuild. */
export const WEBHOOKS: CollectionSpec = {
  name: 'webhooks',
  indexes: [
    { fields: ['agent', 'createdAt'] },
    { fields: ['holder'] },
    { fields: ['changedAt'] },
    { fields: ['slot'], unique: true },
  ],
};

/** How many endpoints an agent of a traveller has. */
export const MOST_ENDPOINTS = 10;
/** How long (ms) a key that was replaced still signs. */
const OVERLAP = 86_400_000;

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
type StoredKey = z.infer<typeof storedKey>;

/** Why nothing is sent: it failed for three days, its owner said that it is gone (410), or the agent or an operator stopped it. */
export const DISABLED_REASONS = ['failing', 'gone', 'agent', 'operator'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A delivery that arrived at the first try, of which nothing else is kept. */
const arrived = z.object({ place: storedPlace, at: z.string(), responseStatus: z.int() });
export type Arrived = z.infer<typeof arrived>;

export const storedWebhook = z.object({
  holder: z.string(),
  clientId: z.string(),
  /** Whose it is, for its list; of one that ends, nobody's. */
  agent: z.string(),
  /** One of ten, so that there are never more. */
  slot: z.string(),
  url: z.string(),
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
});
export type StoredWebhook = z.infer<typeof storedWebhook>;
export type Webhook = Document<StoredWebhook>;

export interface NewWebhook extends Party {
  readonly id: string;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly description: string | undefined;
  /** The end of the outbox as it was asked for. */
  readonly cursor: string | null;
  readonly now: Instant;
}

const nameOf = (id: string): string => `webhook ${id}`;

/** Endpoints of agents with what signs for them, sealed. Methods throw DocumentsUnavailable. */
export class Endpoints {
  readonly stored: Collection<StoredWebhook>;

  constructor(
    documents: Documents,
    private readonly sealing: SealingKeys,
  ) {
    this.stored = new Collection(documents, WEBHOOKS, storedWebhook);
  }

  /** The endpoints of an agent, in the order they were made. */
  of(party: Party): Promise<readonly Webhook[]> {
    return this.stored.find({
      where: [{ field: 'agent', equals: partyKey(party) }],
      sort: { field: 'createdAt', direction: 'ascending' },
      limit: MOST_ENDPOINTS,
    });
  }

  /** @throws DomainError `webhook_not_found` where there is none, or it is another's */
  async get(id: string, party: Party): Promise<Webhook> {
    const found = isId(id) ? await this.stored.get(id) : null;
    if (found?.body.agent !== partyKey(party)) throw new DomainError('webhook_not_found');
    return found;
  }

  /** A new key of this endpoint: what is stored, and what its owner is shown. */
  newKey(id: string, signature: SignatureKind): { readonly stored: StoredKey; readonly shown: string } {
    const { bytes, shown } = newKey(signature);
    const sealed = seal(bytes, this.sealing, nameOf(id));
    return { stored: { signature, sealed, ...(signature === 'ed25519' && { publicKey: shown }) }, shown };
  }

  /** @throws DomainError `rate_limited` where its agent has as many as it may */
  async add({ id, now, ...webhook }: NewWebhook, key: StoredKey): Promise<Webhook> {
    const { holder, clientId, url, types: wanted, description, cursor } = webhook;
    const agent = partyKey(webhook);
    const body = {
      ...{ holder, clientId, agent, url, types: wanted, keys: [key], cursor },
      ...(description !== undefined && { description }),
      ...{ createdAt: now, changedAt: now, since: now, turn: 0, recent: [] },
    };
    for (let n = 0; n < MOST_ENDPOINTS; n += 1)
      if (await this.stored.insertIfAbsent(id, { ...body, slot: `${agent} ${n}` })) return this.get(id, webhook);
    throw tooMany();
  }

  /** @throws DomainError `webhook_not_found` where it is gone meanwhile */
  async change(
    id: string,
    party: Party,
    now: Instant,
    change: (body: StoredWebhook) => StoredWebhook,
  ): Promise<Webhook> {
    const changed = await this.stored.update(id, (body) =>
      body?.agent === partyKey(party) ? { ...change(body), changedAt: now, turn: body.turn + 1 } : null,
    );
    if (!changed) throw new DomainError('webhook_not_found');
    return this.get(id, party);
  }

  /** The keys that sign at `now`, the newest first. @throws SealBroken */
  keysOf({ id, body: { keys } }: Webhook, now: Instant): readonly SigningKey[] {
    return this.keysIn(id, keys, now);
  }

  /** @throws SealBroken */
  keysIn(id: string, keys: readonly StoredKey[], now: Instant): readonly SigningKey[] {
    return keys
      .filter(({ until }) => until === undefined || until > now)
      .map(({ signature, sealed }) => ({ signature, bytes: unseal(sealed, this.sealing, nameOf(id)) }));
  }

  /** Deletes those of everybody; returns how many. */
  forgetEvery(): Promise<number> {
    return this.stored.clear();
  }

  /** Erases those of a traveller; returns how many. */
  forget(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }
}

/** @throws DomainError `rate_limited` where an agent with these may have no more */
export const checkRoom = (endpoints: readonly Webhook[]): void => {
  if (endpoints.length >= MOST_ENDPOINTS) throw tooMany();
};

const tooMany = (): DomainError => new DomainError('rate_limited', { limit: MOST_ENDPOINTS });

/** The keys of an endpoint with a new one, beside which the last signs for a day. */
export const rotated = (keys: readonly StoredKey[], key: StoredKey, now: Instant): readonly StoredKey[] => {
  const [last] = keys;
  return [key, ...(last ? [{ ...last, until: plus(now, OVERLAP) }] : [])];
};

/** As it is once its agent was revoked: no longer in the agent's list, nor one of its ten. */
export const ending = (id: string, body: StoredWebhook): StoredWebhook => ({
  ...body,
  ...{ agent: `ended ${id}`, slot: `ended ${id}`, isEnding: true },
});

/** Encrypts what signs by the first of `sealing`; returns how many keys were not. Safe to repeat. @throws SealBroken */
export const reencryptWebhooks = async (documents: Documents, sealing: SealingKeys): Promise<number> => {
  const { stored } = new Endpoints(documents, sealing);
  await stored.prepare();
  let changed = 0;
  for await (const { id } of stored.every()) {
    let count = 0;
    const resealedKey = (key: StoredKey): StoredKey => {
      const sealed = resealed(key.sealed, sealing, nameOf(id));
      if (sealed) count += 1;
      return sealed ? { ...key, sealed } : key;
    };
    await stored.update(id, (body) => {
      count = 0;
      const keys = body?.keys.map(resealedKey) ?? [];
      return body && count > 0 ? { ...body, keys } : null;
    });
    changed += count;
  }
  return changed;
};
