import { Injectable } from '@nestjs/common';
import { Locators } from '#checkout';
import { ReadModelStore } from '#documents';
import { EventStore } from '#event-store';
import type { BaseUrls } from '#http';
import { DomainError } from '#kernel';
import { loadCheckpoint } from '#read-models';
import { type EventData, resourcesOf } from './event-data.js';
import type { EventType } from './event-types.js';
import { cursorOf, FIRST_KEY, horizonOf, lastKeyAt, OUTBOX, type Place, placesAfter, type Whose } from './places.js';

/** What an agent is given (docs/interface.md, Events). */
export interface PublicEvent {
  readonly id: string;
  readonly type: EventType;
  /** When it happened. */
  readonly timestamp: string;
  readonly cursor: string;
  readonly data: EventData;
}

/** The public events of the last 30 days. Methods throw StoreUnavailable and DocumentsUnavailable. */
@Injectable()
export class Outbox {
  constructor(
    private readonly events: EventStore,
    private readonly store: ReadModelStore,
    private readonly locators: Locators,
  ) {}

  /** The key up to which all is written; null: nothing is yet. */
  async end(): Promise<string | null> {
    const checkpoint = await loadCheckpoint(this.store, OUTBOX.name);
    return checkpoint && lastKeyAt(checkpoint.position);
  }

  /** The places after a key (null: from the oldest kept), oldest first, at most `limit`, none past the end; `end`: where that was just now. */
  async after(key: string | null, whose: Whose, limit: number, end?: string | null): Promise<readonly Place[]> {
    const upTo = end === undefined ? await this.end() : end; // read first: a batch is written in no order
    return upTo === null ? [] : placesAfter(this.store, { whose, after: key, upTo, limit });
  }

  /** @throws DomainError `cursor_too_old` where something after this key may have been deleted, `invalid_cursor` where it is yet to come */
  async checkKept(key: string, end: string | null): Promise<void> {
    if (key > (end ?? FIRST_KEY)) throw new DomainError('invalid_cursor');
    const horizon = await horizonOf(this.store);
    if (horizon !== null && key < horizon) throw new DomainError('cursor_too_old', { oldest: cursorOf(horizon) });
  }

  /** The events at these places, each with its resource as it was then. */
  async eventsOf(places: readonly Place[], urls: BaseUrls): Promise<readonly PublicEvent[]> {
    const resources = await resourcesOf(this.events, places, { urls, locators: this.locators });
    return places.map((place) => {
      const data = resources.get(place.key);
      if (!data) throw new Error(`nothing is known of ${place.stream}@${place.revision}`);
      return { id: place.id, type: place.type, timestamp: place.at, cursor: cursorOf(place.key), data };
    });
  }
}
