import { Injectable } from '@nestjs/common';
import { Clock, DomainError, Ids, type Party, partyOf } from '#kernel';
import type { EventType } from '../event-types.js';
import { keyOf } from '../places.js';
import { Outbox } from '../outbox.js';
import { DocumentUnread, RemotePosts } from '#remote';
import { hasArrived } from './attempt.js';
import { Deliveries, type ListedDelivery, untried } from './deliveries.js';
import { checkRoom, Endpoints, rotated } from './endpoints.js';
import { signedHeaders, type SignatureKind, type SigningKey } from './signing.js';
import { enabledAgain, type StoredWebhook, type Webhook } from './stored-webhook.js';
import { Verification } from './verification.js';

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
  constructor(
    readonly endpoints: Endpoints,
    private readonly deliveries: Deliveries,
    private readonly outbox: Outbox,
    private readonly posts: RemotePosts,
    private readonly verification: Verification,
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
    const endpoint = { ...partyOf(party), url, types, keys: [stored], since: now, cursor };
    const webhook = await this.endpoints.add(
      id,
      { ...endpoint, ...(description !== undefined && { description }) },
      now,
    );
    return { webhook, shown };
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
    const status = await this.verification.looking(party, async () => (await post().catch(nobody))?.status ?? null);
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

  /** @throws DomainError `invalid_webhook`, `rate_limited` */
  private async verify(party: Party, url: string, keys: readonly SigningKey[]): Promise<void> {
    const fault = await this.verification.faultOf(party, url, keys);
    if (fault === 'address') throw flawed('url', 'deve ser um endereço https, sem usuário, senha ou #');
    if (fault) throw flawed('url', 'não respondeu à verificação com o challenge');
  }
}

const nobody = (error: unknown): null => {
  if (error instanceof DocumentUnread) return null;
  throw error;
};

const flawed = (field: string, message: string): DomainError =>
  new DomainError('invalid_webhook', [{ field, message }]);
