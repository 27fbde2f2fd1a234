import type { Checkpoint, Delivery, EventStore } from '#event-store';
import type { Clock } from '#kernel';
import { type Batch, batches, withIdleness } from './batches.js';

/** At most this many deliveries are handled together. */
export const BATCH = 500;
/** How long (ms) nothing has to come until that is reported. */
const IDLE = 500;
/** The first and the longest wait (ms) before another try. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 10_000];

export interface Consumption {
  readonly after: Checkpoint | null;
  readonly categories: readonly string[];
  /** Handles what came; null: nothing more has for a while. */
  take(batch: Batch<Delivery> | null): Promise<Taken>;
}

/** What came of a batch: it is stored, or will be with the next; or the consumer has to begin anew from what is stored. */
export type Taken = 'stored' | 'waits' | 'overtaken';

/** Handles the events of the log in their order, each at least once: who stores how far it is may be behind what it has done. */
export interface Consumer {
  /** Finds out where it stands; null: it has ended. Asked again after every failure. */
  begin(): Promise<Consumption | null>;
  /** Receives every failure; another try follows, after a pause that grows. */
  onError(error: unknown): void;
}

/** How long (ms) after a batch of so many deliveries began the next may begin, unless it is full: what comes meanwhile is handled together. */
export type Pace = (deliveries: number) => number;

export interface ConsumedLog {
  readonly events: EventStore;
  readonly clock: Clock;
  readonly pace?: Pace;
  /** Ends it after the batch under way. */
  readonly signal: AbortSignal;
}

export const consume = async (consumer: Consumer, log: ConsumedLog): Promise<void> => {
  const { clock, signal } = log;
  const isOver = (): boolean => signal.aborted;
  for (let failures = 0; !isOver();) {
    try {
      const consumption = await consumer.begin();
      if (!consumption) return;
      for await (const taken of takenOf(consumption, log)) if (taken === 'stored') failures = 0;
      await clock.pause(FIRST_PAUSE, signal); // another one is at work on the same: no race
    } catch (error) {
      if (isOver()) return;
      consumer.onError(error);
      await clock.pause(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE), signal);
      failures += 1;
    }
  }
};

/** Yields what came of each batch, until the consumer is overtaken. */
async function* takenOf(
  consumption: Consumption,
  { events, clock, pace = () => 0, signal }: ConsumedLog,
): AsyncGenerator<Taken> {
  const leaving = new AbortController();
  const { after, categories } = consumption;
  const subscribed = events.subscribe({ after, categories, signal: AbortSignal.any([signal, leaving.signal]) });
  try {
    for await (const batch of withIdleness(batches(subscribed, BATCH), IDLE, clock)) {
      const began = clock.monotonic();
      const taken = await consumption.take(batch);
      if (taken === 'overtaken') return;
      yield taken;
      const hasEvents = batch?.some(({ event }) => event !== null) ?? false;
      if (!batch || !hasEvents || batch.length >= BATCH) continue;
      const early = began + pace(batch.length) - clock.monotonic();
      if (early > 0) await clock.sleep(early, signal);
    }
  } finally {
    leaving.abort();
  }
}
