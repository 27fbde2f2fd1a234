import { EventEmitter, once } from 'node:events';
import {
  type Appended,
  type Checkpoint,
  type Delivery,
  EventStore,
  type EventToAppend,
  isOf,
  positionOf,
  RevisionConflict,
  type StoredEvent,
  type SubscriptionOptions,
} from '../index.js';

/** An event log in memory, for thousands of short lives: it passes the contract of the real ones. */
export class MemoryEventStore extends EventStore {
  onWritten: (event: StoredEvent) => void = () => undefined;
  private readonly log: StoredEvent[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly news = new EventEmitter().setMaxListeners(0);
  private readonly closing = new AbortController();

  get all(): readonly StoredEvent[] {
    return this.log;
  }

  copy(): MemoryEventStore {
    const copy = new MemoryEventStore();
    copy.log.push(...this.log);
    for (const [stream, events] of this.streams) copy.streams.set(stream, [...events]);
    return copy;
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    return Promise.resolve().then(() => this.write(stream, expectedRevision, events));
  }

  async *readStream(stream: string, fromRevision = 0): AsyncGenerator<StoredEvent> {
    await Promise.resolve();
    yield* (this.streams.get(stream) ?? []).slice(fromRevision);
  }

  async *readAll(after: Checkpoint | null): AsyncGenerator<StoredEvent> {
    await Promise.resolve();
    yield* this.log.slice(Number(after?.position ?? 0));
  }

  head(): Promise<StoredEvent | null> {
    return Promise.resolve(this.log.at(-1) ?? null);
  }

  async *subscribe({ after, categories, signal }: SubscriptionOptions): AsyncGenerator<Delivery> {
    const over = AbortSignal.any([signal, this.closing.signal]);
    const isOver = () => over.aborted; // it changes while a delivery is being handled
    let told = Number(after?.position ?? 0);
    let hasCaughtUp = false;
    for (let read = told; !isOver();) {
      const event = this.log[read];
      if (event) {
        read += 1;
        if (!isOf(categories, event.stream)) continue;
        told = read;
        yield { event, checkpoint: checkpointAt(read) };
      } else {
        if (told < read || !hasCaughtUp) yield { event: null, checkpoint: checkpointAt(read) };
        [told, hasCaughtUp] = [read, true];
        if (read === this.log.length) await once(this.news, 'appended', { signal: over }).catch(() => undefined);
      }
    }
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  /** Check and write in one step: nobody comes between them. */
  private write(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Appended {
    const known = this.streams.get(stream) ?? [];
    if (known.length - 1 !== expectedRevision) return this.writtenBefore(stream, expectedRevision, events);
    for (const { type, ...json } of events) {
      const data = JSON.parse(json.data) as StoredEvent['data'];
      const metadata = JSON.parse(json.metadata) as StoredEvent['metadata'];
      const position = positionOf(this.log.length + 1);
      const stored = { stream, revision: known.length, position, type, data, metadata, bytes: json };
      known.push(stored);
      this.log.push(stored);
      this.onWritten(stored);
    }
    this.streams.set(stream, known);
    this.news.emit('appended');
    return { revision: known.length - 1, position: positionOf(this.log.length) };
  }

  /** Success where exactly these events stand there: they were sent before (docs/consistency.md, rule 12). */
  private writtenBefore(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Appended {
    const from = expectedRevision + 1;
    const stored = (this.streams.get(stream) ?? []).slice(from, from + events.length);
    const last = stored.at(-1);
    const isSame =
      stored.length === events.length && stored.every(({ metadata }, place) => metadata.eventId === events[place]?.id);
    if (!isSame || !last) throw new RevisionConflict(`${stream} does not end at revision ${expectedRevision}`);
    return { revision: last.revision, position: last.position };
  }
}

const checkpointAt = (place: number): Checkpoint => ({ position: positionOf(place) });
