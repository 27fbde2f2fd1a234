import { Injectable } from '@nestjs/common';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Clock, DomainError, Ids, type Party, partyKey, partyOf } from '#kernel';
import { type EventType, keyOf, Outbox } from '#outbox';
import { DocumentUnread, RemotePosts } from '#remote';
import { hasArrived } from './attempt.js';
import { Deliveries, type ListedDelivery, untried } from './deliveries.js';
import { checkRoom, Endpoints, rotated, type StoredWebhook, type Webhook } from './endpoints.js';
import { signedHeaders, type SignatureKind, type SigningKey } from './signing.js';

/** How many endpoints of an agent are looked at side by side. */
const MOST_LOOKS = 4;

export interface WantedWebhook {
  readonly url: string;
  readonly types: readonly EventType[];
  readonly description: string | undefined;
  readonly signature: SignatureKind;
}

export interface WebhookChange {
  readonly url?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly description?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** An endpoint, and what its owner verifies with, which is shown once if it is a secret. */
export interface Keyed {
  readonly webhook: Webhook;
  readonly shown: string;
}

/** The endpoints of agents (docs/interface.md, Webhooks). All throw DomainError `webhook_not_found` where it is another's; Unavailable. */
@Injectable()
export class Webhooks {
  /** By agent, how many addresses are being looked at. */
  private readonly looks = new Map<string, number>();

  constructor(
    readonly endpoints: Endpoints,
    private readonly deliveries: Deliveries,
    private readonly outbox: Outbox,
    private readonly posts: RemotePosts,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** @throws DomainError `rate_limited` beyond ten; `invalid_webhook` where the address does not answer as it must */
  async create(party: Party, { url, types, description, signature }: WantedWebhook): Promise<Keyed> {
    checkRoom(await this.endpoints.of(party));
    // As it was asked for: what happens while its address is looked at is for it, and so is the end of its agent.
    const [now, cursor] = [this.clock.now(), await this.outbox.end()];
    const id = this.ids.next();
    const { stored, shown } = this.endpoints.newKey(id, signature);
    await this.verify(party, url, this.endpoints.keysIn(id, [stored], now));
    const wanted = { ...partyOf(party), id, url, types, description, cursor, now };
    return { webhook: await this.endpoints.add(wanted, stored), shown };
  }

  /** @throws DomainError `invalid_webhook` where a new address, or one that is to be sent to again, does not answer as it must */
  async change(id: string, party: Party, { url, types, description, enabled }: WebhookChange): Promise<Webhook> {
    const before = await this.endpoints.get(id, party);
    const now = this.clock.now();
    if (before.body.disabled === 'operator' && enabled) throw flawed('enabled', 'foi desativado pelo operador');
    const isNewAddress = url !== undefined && url !== before.body.url;
    if (isNewAddress || (enabled && before.body.disabled))
      await this.verify(party, url ?? before.body.url, this.endpoints.keysOf(before, now));
    return this.endpoints.change(id, party, now, (body) => ({
      ...(enabled ? enabledAgain(body) : body),
      ...(url !== undefined && { url }),
      ...(types && { types }),
      ...(description !== undefined && { description }),
      ...(enabled === false && { disabled: body.disabled ?? 'agent' }),
    }));
  }

  async remove(id: string, party: Party): Promise<void> {
    await this.endpoints.get(id, party);
    await this.endpoints.stored.delete(id);
    await this.deliveries.forgetOf(id);
  }

  /** A new key, beside which the one before signs for a day. */
  async rotate(id: string, party: Party): Promise<Keyed> {
    const now = this.clock.now();
    const { body } = await this.endpoints.get(id, party);
    const { stored, shown } = this.endpoints.newKey(id, body.keys[0]?.signature ?? 'hmac-sha256');
    const change = (one: StoredWebhook) => ({ ...one, keys: rotated(one.keys, stored, now) });
    return { webhook: await this.endpoints.change(id, party, now, change), shown };
  }

  /** Sends a message of no event. What waits is tried again at once where it arrives. Returns the status; null: no answer. */
  async test(id: string, party: Party): Promise<number | null> {
    const webhook = await this.endpoints.get(id, party);
    const now = this.clock.now();
    const messageId = `test_${this.ids.next().replaceAll('-', '')}`;
    const body = JSON.stringify({ id: messageId, type: 'test', timestamp: now, data: {} });
    const headers = signedHeaders({ id: messageId, body }, this.endpoints.keysOf(webhook, now), now);
    const post = () => this.posts.post(webhook.body.url, { headers, body });
    const status = await this.looking(party, async () => (await post().catch(nobody))?.status ?? null);
    if (hasArrived(status)) await this.endpoints.change(id, party, now, (one) => one);
    return status;
  }

  async listed(id: string, party: Party): Promise<readonly ListedDelivery[]> {
    return this.deliveries.listed(await this.endpoints.get(id, party));
  }

  /** Sends an event again. @throws DomainError `webhook_not_found` where nothing is known of its delivery */
  async resend(id: string, party: Party, eventId: string): Promise<ListedDelivery> {
    const webhook = await this.endpoints.get(id, party);
    const known = await this.deliveries.of(webhook, eventId);
    if (!known) throw new DomainError('webhook_not_found');
    const now = this.clock.now();
    const again = untried(id, known.place, now);
    await this.deliveries.put(again);
    await this.endpoints.change(id, party, now, (one) => one);
    return again;
  }

  /** Sends everything after a cursor again. @throws DomainError `invalid_cursor`, `cursor_too_old` */
  async replay(id: string, party: Party, after: string): Promise<Webhook> {
    await this.endpoints.get(id, party);
    const cursor = keyOf(after);
    await this.outbox.checkKept(cursor, await this.outbox.end());
    return this.endpoints.change(id, party, this.clock.now(), ({ since: _, ...body }) => ({ ...body, cursor }));
  }

  /** Whether who is at an address wants messages: it repeats a challenge (docs/interface.md, Webhooks). @throws DomainError `invalid_webhook` */
  private async verify(party: Party, url: string, keys: readonly SigningKey[]): Promise<void> {
    if (!this.posts.takes(url)) throw flawed('url', 'deve ser um endereço https, sem usuário, senha ou #');
    const challenge = randomBytes(24).toString('base64url');
    const body = JSON.stringify({ type: 'verification', challenge });
    const id = `verification_${this.ids.next().replaceAll('-', '')}`;
    const headers = signedHeaders({ id, body }, keys, this.clock.now());
    const answer = await this.looking(party, () => this.posts.ask(url, { headers, body }).catch(nobody));
    if (!isSame(answer?.['challenge'], challenge)) throw flawed('url', 'não respondeu à verificação com o challenge');
  }

  /** @throws DomainError `rate_limited` where an agent has us ask too many addresses at once */
  private async looking<Answer>(party: Party, look: () => Promise<Answer>): Promise<Answer> {
    const agent = partyKey(party);
    const others = this.looks.get(agent) ?? 0;
    if (others >= MOST_LOOKS) throw new DomainError('rate_limited', { limit: MOST_LOOKS }, { retryAfter: 1 });
    this.looks.set(agent, others + 1);
    try {
      return await look();
    } finally {
      const left = (this.looks.get(agent) ?? 1) - 1;
      if (left === 0) this.looks.delete(agent);
      else this.looks.set(agent, left);
    }
  }
}

const enabledAgain = ({ disabled: _, failingSince: __, ...body }: StoredWebhook): StoredWebhook => body;

const nobody = (error: unknown): null => {
  if (error instanceof DocumentUnread) return null;
  throw error;
};

const isSame = (given: unknown, challenge: string): boolean => {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(challenge)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const flawed = (field: string, message: string): DomainError =>
  new DomainError('invalid_webhook', [{ field, message }]);
