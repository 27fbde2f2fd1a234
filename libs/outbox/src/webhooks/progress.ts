import type { Clock, Instant } from '#kernel';
import { FIRST_KEY, type Place } from '../places.js';
import type { Endpoints } from './endpoints.js';
import type { Arrived, Webhook } from './stored-webhook.js';

/** How often (ms) it is stored, while there is something to send. */
const SAVING = 1_000;
/** How many of those that arrived at the first try are shown. */
const RECENT = 20;

/** How far the sending to an endpoint is. It is stored now and then: what is lost with the process is sent again. */
export class Progress {
  cursor: string | null = null;
  watermark = new Watermark(FIRST_KEY);
  failingSince: Instant | undefined;
  /** The cursor as it is stored. */
  private stored: string | null = null;
  /** When the endpoint was made: another one with its id begins anew. */
  private createdAt = '';
  private recent: readonly Arrived[] = [];
  /** Keys beyond the cursor of what has arrived. */
  private readonly arrived = new Set<string>();
  private isChanged = false;
  private savedAt = -Infinity;

  constructor(
    private readonly id: string,
    private readonly endpoints: Endpoints,
    private readonly clock: Clock,
  ) {}

  /** Goes on from what is stored. */
  open({ body: { cursor, recent, failingSince, subscription, createdAt } }: Webhook): void {
    if (cursor !== this.cursor || createdAt !== this.createdAt) this.arrived.clear(); // it is to be sent again
    this.createdAt = createdAt;
    this.cursor = this.stored = cursor;
    this.recent = recent;
    this.failingSince = failingSince;
    this.watermark = new Watermark(subscription?.safe ?? FIRST_KEY);
  }

  hasArrived(key: string): boolean {
    return this.arrived.has(key);
  }

  /** `atOnce`: at the first try, of which nothing else is kept. */
  note(place: Place, at: Instant, responseStatus: number, atOnce: boolean): void {
    this.arrived.add(place.key);
    this.watermark.note(place.key);
    this.failingSince = undefined;
    if (atOnce) this.recent = [{ place, at, responseStatus }, ...this.recent].slice(0, RECENT);
    this.isChanged = true;
  }

  /** Nothing is to be sent of this one. */
  pass(key: string): void {
    this.arrived.add(key);
    this.watermark.note(key);
    this.isChanged = true;
  }

  /** Returns since when nothing has arrived. */
  noteFailure(at: Instant): Instant {
    this.isChanged = true;
    return (this.failingSince ??= at);
  }

  /** Everything up to this key has arrived, or waits as a delivery. */
  advance(key: string | undefined): void {
    if (key !== undefined && key !== this.cursor) {
      this.cursor = key;
      this.arrived.clear();
      this.isChanged = true;
    }
    if (this.cursor !== null) this.watermark.reach(this.cursor);
  }

  get isToBeSaved(): boolean {
    return this.isChanged && this.clock.monotonic() - this.savedAt >= SAVING;
  }

  /** Stores it, unless the cursor was set to another place meanwhile, or the endpoint is another. */
  async save(): Promise<void> {
    if (!this.isChanged) return;
    const { cursor, recent, failingSince } = this;
    const safe = this.watermark.reached;
    const written = await this.endpoints.stored.update(this.id, (body) => {
      if (body?.cursor !== this.stored || body.createdAt !== this.createdAt) return null;
      const { failingSince: _, subscription, ...rest } = body;
      return {
        ...{ ...rest, cursor, recent },
        ...(failingSince !== undefined && { failingSince }),
        ...(subscription && { subscription: { ...subscription, safe } }),
      };
    });
    if (written) this.stored = cursor;
    this.isChanged = false;
    this.savedAt = this.clock.monotonic();
  }
}

/** Up to where everything was taken or given up: going on from there misses nothing (MCP Events, safe-to-persist watermark). */
export class Watermark {
  /** Keys of what is to be sent, oldest first; from `first` on, something is outstanding. */
  private outstanding: readonly string[] = [];
  private first = 0;
  private readonly done = new Set<string>();

  constructor(public reached: string) {}

  /** Begins with what is to be sent, oldest first. */
  begin(keys: readonly string[]): void {
    this.outstanding = keys;
    this.first = 0;
    this.done.clear();
  }

  /** As it is once the event at `key` is taken. */
  with(key: string): string {
    return this.outstanding[this.first] === key ? key : this.reached;
  }

  /** The event at `key` was taken, or given up. */
  note(key: string): void {
    this.done.add(key);
    for (let next = this.outstanding[this.first]; next !== undefined && this.done.has(next);) {
      this.advance(next);
      next = this.outstanding[(this.first += 1)];
    }
  }

  /** There is nothing else to be sent up to `key`. */
  reach(key: string): void {
    if (this.first === this.outstanding.length) this.advance(key);
  }

  private advance(key: string): void {
    if (key > this.reached) this.reached = key;
  }
}
