import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, DomainError, type Instant, type Party, partyOf, plus } from '#kernel';
import { cursorOf, FIRST_KEY, KEPT, keyOf } from '../places.js';
import type { EventType } from '../event-types.js';
import { Outbox } from '../outbox.js';
import { Deliveries } from './deliveries.js';
import { Endpoints, rotated } from './endpoints.js';
import { subscriptionHead } from './message.js';
import { enabledAgain, type Webhook } from './stored-webhook.js';
import { type Unverified, Verification } from './verification.js';

/** How long (ms) a subscription lasts that asks for no time, and the longest and the shortest that is granted. */
const [USUAL, LONGEST, SHORTEST] = [7 * 86_400_000, 30 * 86_400_000, 60_000] as const;

/** Which subscription of an agent it is. */
export interface SubscriptionKey {
  readonly url: string;
  readonly name: EventType;
  /** The mandate that it is about; undefined: all of the agent's. */
  readonly mandateId: string | undefined;
}

export interface WantedSubscription extends SubscriptionKey {
  /** What signs, without its prefix: 24 to 64 bytes. */
  readonly secret: Buffer;
  /** From where on; null: from now on. */
  readonly cursor: string | null;
  /** Nothing older (ms) than that is sent. */
  readonly maxAge: number | undefined;
  /** How long (ms) it is wanted for. */
  readonly lifetime: number | undefined;
}

export interface Subscribed {
  readonly id: string;
  /** When it ends, unless it is asked for again. */
  readonly refreshBefore: Instant;
  /** From where its client may go on, missing nothing. */
  readonly cursor: string;
  /** Whether something that its client asks for is skipped. */
  readonly truncated: boolean;
  /** How sending went before it was asked for again. */
  readonly deliveryStatus?: {
    readonly active: boolean;
    readonly lastDeliveryAt: Instant | null;
    readonly failedSince?: Instant;
  };
}

/** A subscription that is not made: its address is not verified, or an operator has stopped it. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';

  constructor(readonly fault: Unverified | 'stopped') {
    super(`the subscription was refused: ${fault}`);
  }
}

/** Subscriptions of MCP Events: endpoints that bring their secret, are about one type, and end by themselves (docs/adr/0112). */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly deliveries: Deliveries,
    private readonly outbox: Outbox,
    private readonly verification: Verification,
    private readonly clock: Clock,
  ) {}

  /** Subscribes, or goes on with what there is. @throws SubscriptionRefused; DomainError `invalid_cursor`, `rate_limited`; Unavailable */
  async subscribe(party: Party, wanted: WantedSubscription): Promise<Subscribed> {
    const id = idOf(party, wanted);
    const known = await this.endpoints.subscription(id);
    return (known && (await this.renew(known, wanted))) ?? this.begin(id, party, wanted);
  }

  /** Returns whether there was one. */
  async unsubscribe(party: Party, key: SubscriptionKey): Promise<boolean> {
    const id = idOf(party, key);
    const { endpoints } = this;
    for (let known = await endpoints.subscription(id); known; known = await endpoints.subscription(id)) {
      // What an operator stopped ends by itself: else its agent would have it run again by asking anew.
      if (known.body.disabled === 'operator') return true;
      if (!(await endpoints.stored.delete(id, known.version))) continue;
      await this.deliveries.forgetOf(id);
      return true;
    }
    return false;
  }

  private async begin(id: string, party: Party, wanted: WantedSubscription): Promise<Subscribed> {
    const now = this.clock.now();
    const { after, since, truncated } = await this.start(party, wanted, now);
    const { url, name, mandateId, secret } = wanted;
    const endpoint = {
      ...{ ...partyOf(party), url, types: [name], keys: [this.endpoints.keyOf(id, secret)], cursor: after },
      ...(since !== null && { since }),
      subscription: { ...(mandateId !== undefined && { mandateId }), safe: after ?? FIRST_KEY },
    };
    await this.verify(id, party, wanted);
    await this.makeRoom(id);
    const refreshBefore = endOf(wanted, now);
    const added = await this.endpoints.add(id, endpoint, now, { expiresAt: refreshBefore });
    if (!this.isSigner(added, secret)) return (await this.renew(added, wanted)) ?? this.begin(id, party, wanted);
    return { id, refreshBefore, cursor: cursorOf(after ?? FIRST_KEY), truncated };
  }

  /** Takes away what has ended by itself, or ends with a grant of before: what waits of that is still sent. */
  private async makeRoom(id: string): Promise<void> {
    const { stored } = this.endpoints;
    let before = await stored.get(id);
    if (!before) await this.deliveries.forgetOf(id);
    while (before?.body.isEnding && !(await stored.delete(id, before.version))) before = await stored.get(id);
  }

  /** The key and the moment from which events are sent. */
  private async start(party: Party, { cursor, maxAge }: WantedSubscription, now: Instant) {
    const end = await this.outbox.end();
    if (cursor === null) return { after: end, since: now, truncated: false };
    const { after, truncated } = await this.kept(keyOf(cursor), end);
    if (maxAge === undefined) return { after, since: null, truncated };
    const since = plus(now, -Math.min(maxAge, KEPT));
    const [next] = await this.outbox.after(after, party, 1);
    return { after, since, truncated: truncated || (next !== undefined && next.at < since) };
  }

  /** The key, or the oldest that is kept where what comes after it is gone. */
  private async kept(
    key: string,
    end: string | null,
  ): Promise<{ readonly after: string; readonly truncated: boolean }> {
    try {
      await this.outbox.checkKept(key, end);
      return { after: key, truncated: false };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'cursor_too_old') throw error;
      return { after: keyOf((error.details as { readonly oldest: string }).oldest), truncated: true };
    }
  }

  /** null: it is gone meanwhile. */
  private async renew(known: Webhook, wanted: WantedSubscription): Promise<Subscribed | null> {
    const { id, body } = known;
    if (body.disabled === 'operator') throw new SubscriptionRefused('stopped');
    const now = this.clock.now();
    const isSame = this.isSigner(known, wanted.secret);
    if (!isSame || body.disabled) await this.verify(id, body, wanted);
    const key = this.endpoints.keyOf(id, wanted.secret);
    const refreshBefore = endOf(wanted, now);
    const renewed = await this.endpoints.stored.update(
      id,
      (one) =>
        one && {
          ...enabledAgain(one),
          ...{ keys: isSame ? one.keys : rotated(one.keys, key, now), changedAt: now, turn: one.turn + 1 },
        },
      { expiresAt: refreshBefore },
    );
    if (!renewed) return null;
    if (renewed.disabled === 'operator') throw new SubscriptionRefused('stopped');
    const { failingSince, disabled, recent } = body;
    const status = { active: disabled === undefined, lastDeliveryAt: recent[0]?.at ?? null };
    return {
      ...{ id, refreshBefore, cursor: cursorOf(await this.safe(known)), truncated: false },
      deliveryStatus: { ...status, ...(failingSince !== undefined && { failedSince: failingSince }) },
    };
  }

  /** From which key on its client may go on: the end of all, where nothing is to be sent. */
  private async safe({ id, body }: Webhook): Promise<string> {
    const end = await this.outbox.end();
    const [next, waiting] = await Promise.all([this.outbox.after(body.cursor, body, 1), this.deliveries.queued(id, 1)]);
    const isQuiet = next.length === 0 && waiting.length === 0;
    return (isQuiet ? end : null) ?? body.subscription?.safe ?? FIRST_KEY;
  }

  private isSigner({ id, body: { keys } }: Webhook, secret: Buffer): boolean {
    const [key] = this.endpoints.keysIn(id, keys.slice(0, 1), this.clock.now());
    return key !== undefined && key.bytes.length === secret.length && timingSafeEqual(key.bytes, secret);
  }

  private async verify(id: string, party: Party, { url, secret }: WantedSubscription): Promise<void> {
    const keys = [{ signature: 'hmac-sha256', bytes: secret }] as const;
    const fault = await this.verification.faultOf(party, url, keys, subscriptionHead(id));
    if (fault) throw new SubscriptionRefused(fault);
  }
}

/** Always the same for an agent, address, type and mandate; it opens nothing. */
const idOf = ({ holder, clientId }: Party, { url, name, mandateId }: SubscriptionKey): string =>
  `sub_${createHash('sha256')
    .update(JSON.stringify([holder, clientId, url, name, mandateId ?? null]))
    .digest('hex')
    .slice(0, 32)}`;

const endOf = ({ lifetime = USUAL }: WantedSubscription, now: Instant): Instant =>
  plus(now, Math.min(Math.max(lifetime, SHORTEST), LONGEST));
