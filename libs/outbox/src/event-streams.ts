import type { Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type BaseUrls, type Listener, LiveStreams } from '#http';
import { Clock, type Party, partyKey } from '#kernel';
import type { EventType } from './event-types.js';
import { Outbox } from './outbox.js';
import { cursorOf } from './places.js';

/** How many events are sent at once. */
const AT_ONCE = 100;

/** Who listens, to what, and from where on. */
export interface AgentListener extends Pick<Listener, 'isInForce'> {
  readonly party: Party;
  readonly types: ReadonlySet<EventType>;
  /** The key of the last event that it has. */
  readonly after: string;
  readonly urls: BaseUrls;
}

/** Public events as they happen, for every agent that listens. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  /** Up to which key all is written. */
  private end: string | null = null;
  private readonly streams: LiveStreams<Listener>;

  constructor(
    private readonly outbox: Outbox,
    clock: Clock,
  ) {
    this.streams = new LiveStreams(clock, async () => {
      this.end = await outbox.end();
    });
  }

  /** @throws DomainError `rate_limited` */
  connect({ party, types, after, urls, isInForce }: AgentListener): Readable {
    let key = after;
    const news = async (): Promise<string> => {
      const { end } = this;
      if (end === null || key >= end) return '';
      const places = await this.outbox.after(key, party, AT_ONCE);
      const last = places.at(-1)?.key ?? key;
      key = places.length < AT_ONCE && end > last ? end : last;
      const wanted = places.filter(({ type }) => types.has(type));
      const events = await this.outbox.eventsOf(wanted, urls);
      return events.map((event) => `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    };
    return this.streams.connect({ of: partyKey(party), isInForce, news }, `retry: 3000\nid: ${cursorOf(key)}\n\n`);
  }

  onModuleDestroy(): void {
    this.streams.end();
  }
}
