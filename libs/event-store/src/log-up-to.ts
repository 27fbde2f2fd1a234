import { StoreUnavailable } from './event-store.errors.js';
import {
  type Appended,
  type Delivery,
  EventStore,
  type StoredEvent,
  type SubscriptionOptions,
} from './event-store.port.js';
import { BEGINNING, type Checkpoint, type Position } from './stored-event.js';

/** A log as it was when it ended at `end`: what came later is not there, and nothing can be appended. */
export class LogUpTo extends EventStore {
  constructor(
    private readonly events: EventStore,
    private readonly end: Position,
  ) {
    super();
  }

  append(): Promise<Appended> {
    return Promise.reject(new StoreUnavailable('a log of the past takes no events'));
  }

  async *readStream(stream: string, fromRevision?: number): AsyncGenerator<StoredEvent> {
    for await (const event of this.events.readStream(stream, fromRevision)) {
      if (event.position > this.end) return;
      yield event;
    }
  }

  async *readAll(after: Checkpoint | null): AsyncGenerator<StoredEvent> {
    for await (const event of this.events.readAll(after)) {
      if (event.position > this.end) return;
      yield event;
    }
  }

  /** Reads the log up to there. */
  async head(): Promise<StoredEvent | null> {
    let last: StoredEvent | null = null;
    for await (const event of this.readAll(null)) last = event;
    return last;
  }

  /** Ends once everything up to the end is delivered. */
  async *subscribe(options: SubscriptionOptions): AsyncGenerator<Delivery> {
    if ((options.after?.position ?? BEGINNING) >= this.end) {
      yield { event: null, checkpoint: { position: this.end } };
      return;
    }
    for await (const delivery of this.events.subscribe(options)) {
      const isPast = delivery.checkpoint.position > this.end;
      yield isPast ? { event: null, checkpoint: { position: this.end } } : delivery;
      if (delivery.checkpoint.position >= this.end) return;
    }
  }

  /** Of the log, whose owner closes it. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
