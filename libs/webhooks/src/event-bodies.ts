import type { BaseUrls } from '#http';
import { upTo } from '#kernel';
import type { Outbox, Place } from '#outbox';
import { LRUCache } from 'lru-cache';

/** How many bodies are kept, a few KB each: the endpoints of an agent are sent the same. */
const KEPT = 1_000;

/** The bodies of events as they are sent. */
export class EventBodies {
  private readonly bodies = new LRUCache<string, Promise<string>>(upTo(KEPT));

  constructor(
    private readonly outbox: Outbox,
    private readonly urls: BaseUrls,
  ) {}

  /** @throws StoreUnavailable, and an Error where the log has not what the place says */
  async of(place: Place): Promise<string> {
    const known = this.bodies.get(place.key);
    if (known) return known;
    const made = this.made(place);
    this.bodies.set(place.key, made);
    made.catch(() => this.bodies.delete(place.key));
    return made;
  }

  private async made(place: Place): Promise<string> {
    const [event] = await this.outbox.eventsOf([place], this.urls);
    return JSON.stringify(event);
  }
}
