import { type Cancel } from '#kernel';
import type { Delivery, SubscriptionOptions } from './event-store.port.js';
import { type Checkpoint, isOf, type Position } from './stored-event.js';

/** How many deliveries are kept for who joins a little behind, and how many before all wait for the slowest. */
const [KEPT, MOST] = [256, 4_096];

type Subscribe = (options: SubscriptionOptions) => AsyncIterable<Delivery>;

/** One subscription at the end of the log for all who are there, whatever they follow; until then each has its own. */
export class SharedSubscription {
  private tail: Tail | null = null;

  constructor(private readonly subscribe: Subscribe) {}

  async *follow(options: SubscriptionOptions): AsyncGenerator<Delivery> {
    const { signal } = options;
    const leaving = new AbortController();
    let joined: AsyncGenerator<Delivery> | null = null;
    const over = AbortSignal.any([signal, leaving.signal]);
    for await (const delivery of this.subscribe({ ...options, signal: over })) {
      yield delivery;
      const { event, checkpoint } = delivery;
      const tail = event === null ? (this.tail ??= this.begin(checkpoint)) : this.tail;
      if (!tail?.canJoin(checkpoint.position)) continue;
      joined = tail.read(checkpoint, options);
      leaving.abort();
      break;
    }
    if (joined) yield* joined;
  }

  private begin(after: Checkpoint): Tail {
    const tail = new Tail(this.subscribe, after, () => {
      if (this.tail === tail) this.tail = null;
    });
    return tail;
  }
}

/** What a reader of the tail is to be given next, and how it is woken. */
interface Reader {
  next: number;
  wake: Cancel;
}

/** A subscription from a place on, read by several. It ends with the last of them. */
class Tail {
  private readonly ending = new AbortController();
  private readonly readers = new Set<Reader>();
  /** What some reader has yet to be given, with a little before it; and the number of the first. */
  private readonly kept: Delivery[] = [];
  private first = 0;
  /** Where all that is not kept any more ends. */
  private before: Position;
  private failure: { readonly error: unknown } | null = null;
  private makeRoom: Cancel = () => undefined;

  constructor(
    subscribe: Subscribe,
    after: Checkpoint,
    private readonly onEnd: () => void,
  ) {
    this.before = after.position;
    const { signal } = this.ending;
    void this.pump(subscribe({ after, categories: null, signal }));
  }

  /** Whether everything after this position will come here. */
  canJoin(position: Position): boolean {
    return position >= this.before && !this.ending.signal.aborted;
  }

  /** Joins at once, so that nothing is forgotten before it is read. */
  read(after: Checkpoint, options: SubscriptionOptions): AsyncGenerator<Delivery> {
    const place = this.kept.findIndex(({ checkpoint }) => checkpoint.position > after.position);
    const reader: Reader = {
      next: this.first + (place < 0 ? this.kept.length : place),
      wake: () => undefined,
    };
    this.readers.add(reader);
    return this.deliver(reader, after, options);
  }

  private async *deliver(
    reader: Reader,
    after: Checkpoint,
    { categories, signal }: SubscriptionOptions,
  ): AsyncGenerator<Delivery> {
    const wake = () => reader.wake();
    signal.addEventListener('abort', wake);
    const isOver = () => signal.aborted; // it changes while a delivery is being handled
    try {
      for (let passed: Checkpoint | null = null; !isOver();) {
        const delivery = this.kept[reader.next - this.first];
        if (delivery) {
          reader.next += 1;
          if (this.kept.length > KEPT) this.forget();
          const { event, checkpoint } = delivery;
          if (checkpoint.position <= after.position) continue; // who joins may be ahead
          const isMeant = event !== null && isOf(categories, event.stream);
          passed = isMeant ? null : checkpoint;
          if (isMeant) yield delivery;
        } else if (passed) {
          yield { event: null, checkpoint: passed };
          passed = null;
        } else if (this.failure) throw this.failure.error;
        else await new Promise<void>((resolve) => (reader.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.readers.delete(reader);
      this.forget();
      if (this.readers.size === 0) this.end();
    }
  }

  private async pump(deliveries: AsyncIterable<Delivery>): Promise<void> {
    try {
      for await (const delivery of deliveries) {
        this.kept.push(delivery);
        for (const { wake } of this.readers) wake();
        while (this.kept.length >= MOST && !this.ending.signal.aborted)
          await new Promise<void>((resolve) => (this.makeRoom = resolve));
      }
    } catch (error) {
      this.failure = { error };
      this.end();
    }
  }

  private forget(): void {
    const needed = Math.min(...[...this.readers].map(({ next }) => next), this.first + this.kept.length);
    const count = Math.min(needed - this.first, this.kept.length - KEPT);
    if (count < KEPT) return;
    const forgotten = this.kept.splice(0, count);
    this.first += count;
    this.before = forgotten.at(-1)?.checkpoint.position ?? this.before;
    this.makeRoom();
  }

  private end(): void {
    this.onEnd();
    this.ending.abort();
    this.makeRoom();
    for (const { wake } of this.readers) wake();
  }
}
