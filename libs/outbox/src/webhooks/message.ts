import { cursorOf, type Place } from '../places.js';
import type { Outbox, PublicEvent } from '../outbox.js';
import type { Message } from './signing.js';
import type { Webhook } from './stored-webhook.js';
import type { BaseUrls } from '#http';
import { upTo } from '#kernel';
import { LRUCache } from 'lru-cache';

/** How many events are kept, a few KB each: the endpoints of an agent are sent the same. */
const KEPT = 1_000;

/** The events that are sent, each read once. */
export class SentEvents {
  private readonly events = new LRUCache<string, Promise<PublicEvent>>(upTo(KEPT));

  constructor(
    private readonly outbox: Outbox,
    private readonly urls: BaseUrls,
  ) {}

  /** @throws StoreUnavailable, and an Error where the log has not what the place says */
  async at(place: Place): Promise<PublicEvent> {
    const known = this.events.get(place.key);
    if (known) return known;
    const read = this.read(place);
    this.events.set(place.key, read);
    read.catch(() => this.events.delete(place.key));
    return read;
  }

  private async read(place: Place): Promise<PublicEvent> {
    const [event] = await this.outbox.eventsOf([place], this.urls);
    if (!event) throw new Error(`there is no event at ${place.key}`);
    return event;
  }
}

/** How long (bytes) the body of an event of MCP Events may be. */
const LONGEST = 256 * 1_024;

/**
 * The id of an event's message, which is the event's own: as Standard Webhooks 1.0.0 and the receivers that there are
 * have it, though the newest text of SEP-3415 numbers messages (docs/adr/0112).
 */
const messageIdOf = ({ id }: PublicEvent): string => id;

/** The head that says which subscription something is sent for. */
export const subscriptionHead = (id: string): Readonly<Record<string, string>> => ({ 'x-mcp-subscription-id': id });

/** The message of an event to an endpoint. `safe`: the key from which its receiver may go on. null: it is longer than a receiver takes. */
export const messageOf = ({ body }: Webhook, event: PublicEvent, safe: string): Message | null => {
  if (!body.subscription) return { id: messageIdOf(event), body: JSON.stringify(event) };
  const { id: eventId, type: name, timestamp, data } = event;
  const text = JSON.stringify({ eventId, name, timestamp, data, cursor: cursorOf(safe) });
  return Buffer.byteLength(text) > LONGEST ? null : { id: messageIdOf(event), body: text };
};
