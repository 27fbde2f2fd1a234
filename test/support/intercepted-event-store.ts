import { type Appended, type Delivery, EventStore, type EventToAppend, type StoredEvent } from '#event-store';
import { categoryOf } from '#events';
import type { Intercept } from './intercept.js';

/** An event store with somebody between. Calls: `append <types joined by +>`, `read <category>`. */
export class InterceptedEventStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly intercept: Intercept,
  ) {
    super();
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    const types = events.map(({ type }) => type).join('+');
    return this.intercept(`append ${types}`, () => this.store.append(stream, expectedRevision, events));
  }

  async *readStream(stream: string, fromRevision = 0): AsyncGenerator<StoredEvent> {
    yield* await this.intercept(`read ${categoryOf(stream)}`, async () => {
      const events: StoredEvent[] = [];
      for await (const event of this.store.readStream(stream, fromRevision)) events.push(event);
      return events;
    });
  }

  readAll(...args: Parameters<EventStore['readAll']>): AsyncIterable<StoredEvent> {
    return this.store.readAll(...args);
  }

  head(): Promise<StoredEvent | null> {
    return this.store.head();
  }

  subscribe(...args: Parameters<EventStore['subscribe']>): AsyncIterable<Delivery> {
    return this.store.subscribe(...args);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
