import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type Party, partyKey, partyOf } from '#kernel';
import type { EventType } from '../event-types.js';
import { Outbox } from '../outbox.js';
import type { Place } from '../places.js';
import type { PostedMessage } from '#remote';
import { Endpoints } from './endpoints.js';
import type { StoredWebhook } from './stored-webhook.js';

/** What changes an order once it is paid. */
const TYPES: readonly EventType[] = ['order.paid', 'order.cancelled', 'flight.cancelled'];

/** A message as it is sent to `url`. */
export interface PostTo extends PostedMessage {
  readonly url: string;
}

/** The messages about an event for the platform of this profile, at the address it has now; null: that cannot be found out at the moment. */
export type PlatformPosts = (profile: string, place: Place) => Promise<readonly PostTo[] | null>;

/** Platforms of UCP as endpoints: each has one for each of its travellers (docs/ucp.md). */
@Injectable()
export class PlatformEndpoints {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Makes the endpoint by which a platform gets a traveller's orders, before one is placed. Safe to repeat. @throws Unavailable */
  async ensure(profile: string, party: Party): Promise<void> {
    const { stored } = this.endpoints;
    const agent = `ucp ${partyKey(party)}`;
    const id = `ucp_${createHash('sha256').update(agent).digest('hex').slice(0, 32)}`;
    const known = await stored.get(id);
    if (known && isOn(known.body)) return;
    const now = this.clock.now();
    const begun: StoredWebhook = {
      ...{ ...partyOf(party), agent, slot: agent, url: profile, isPlatform: true, types: TYPES, keys: [] },
      ...{ createdAt: now, changedAt: now, turn: 0, cursor: await this.outbox.end(), recent: [] },
    };
    // What had ended, with its agent or after days without an answer, begins anew.
    await stored.update(id, (body) => (body && isOn(body) ? null : begun));
  }
}

/** Whether its messages are sent, or an operator has switched them off. */
const isOn = ({ isEnding, disabled }: StoredWebhook): boolean =>
  !isEnding && (disabled === undefined || disabled === 'operator');
