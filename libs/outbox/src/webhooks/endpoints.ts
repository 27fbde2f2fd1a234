import { Collection, type CollectionSpec, type Documents, resealed, seal, type SealingKeys, unseal } from '#documents';
import { DomainError, type Instant, isId, type Party, partyKey, plus } from '#kernel';
import { newKey, type SignatureKind, type SigningKey } from './signing.js';
import { type StoredKey, type StoredWebhook, storedWebhook, type Webhook } from './stored-webhook.js';

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

/** How many webhooks an agent of a traveller has, and how many subscriptions of MCP Events. */
export const [MOST_ENDPOINTS, MOST_SUBSCRIPTIONS] = [10, 50] as const;
/** How long (ms) a key that was replaced still signs. */
const OVERLAP = 86_400_000;

/** What an endpoint begins with; what it is found by comes with its agent. */
export type NewEndpoint = Omit<StoredWebhook, 'agent' | 'slot' | 'createdAt' | 'changedAt' | 'turn' | 'recent'>;

/** How many of a kind an agent of a traveller has, and the owner of their list. Those of platforms are in none of these lists. */
const kindOf = (party: Party, isSubscription: boolean) =>
  isSubscription
    ? { agent: `mcp ${partyKey(party)}`, most: MOST_SUBSCRIPTIONS }
    : { agent: partyKey(party), most: MOST_ENDPOINTS };

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

  /** The webhooks of an agent, in the order they were made. */
  of(party: Party): Promise<readonly Webhook[]> {
    return this.ofKind(party, false);
  }

  /** Its webhooks, and then its subscriptions. */
  async everyOf(party: Party): Promise<readonly Webhook[]> {
    return (await Promise.all([this.ofKind(party, false), this.ofKind(party, true)])).flat();
  }

  private ofKind(party: Party, isSubscription: boolean): Promise<readonly Webhook[]> {
    const { agent, most } = kindOf(party, isSubscription);
    return this.stored.find({
      where: [{ field: 'agent', equals: agent }],
      sort: { field: 'createdAt', direction: 'ascending' },
      limit: most,
    });
  }

  /** The subscription of this id, with its owner; null: there is none, or it has ended. */
  async subscription(id: string): Promise<Webhook | null> {
    const found = await this.stored.get(id);
    return found?.body.subscription && !found.body.isEnding ? found : null;
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
    return {
      stored: { ...this.keyOf(id, bytes, signature), ...(signature === 'ed25519' && { publicKey: shown }) },
      shown,
    };
  }

  /** A key that somebody brings, as it is stored. */
  keyOf(id: string, bytes: Buffer, signature: SignatureKind = 'hmac-sha256'): StoredKey {
    return { signature, sealed: seal(bytes, this.sealing, nameOf(id)) };
  }

  /** Of two that add a subscription at once, both get the one that was first. @throws DomainError `rate_limited` where its agent has as many as it may */
  async add(id: string, endpoint: NewEndpoint, now: Instant, expiry: { expiresAt?: Instant } = {}): Promise<Webhook> {
    const isSubscription = endpoint.subscription !== undefined;
    const { agent, most } = kindOf(endpoint, isSubscription);
    const body = { ...endpoint, ...{ agent, createdAt: now, changedAt: now, turn: 0, recent: [] } };
    const taken = new Set((await this.ofKind(endpoint, isSubscription)).map(({ body: { slot } }) => slot));
    for (let n = 0; n < most; n += 1) {
      const slot = `${agent} ${n}`;
      const isIn = !taken.has(slot) && (await this.stored.insertIfAbsent(id, { ...body, slot }, expiry));
      const there = isIn || isSubscription ? await this.stored.get(id) : null;
      if (there) return there;
    }
    throw tooMany(most);
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
  if (endpoints.length >= MOST_ENDPOINTS) throw tooMany(MOST_ENDPOINTS);
};

const tooMany = (limit: number): DomainError => new DomainError('rate_limited', { limit });

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
