import type { BaseUrls } from '#http';
import { upTo } from '#kernel';
import type { Outbox, PublicEvent } from '../outbox.js';
import type { Place } from '../places.js';
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
    if (!event) throw new Error(`nothing is told of ${place.key}`);
    return event;
  }
}
