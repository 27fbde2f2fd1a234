import { setTimeout as sleep } from 'node:timers/promises';
import type { Servers } from '#config';
import { openMongoDocuments } from '#documents';
import { EventStoreDb, type StoredEvent, StoreUnavailable } from '#event-store';
import { RandomIds, SystemClock } from '#kernel';

/** How long (ms) a start waits for the event store, which may start beside it, and how often it asks. */
const [PATIENCE, RETRY_AFTER] = [30_000, 500];

/** The event store did not answer for as long as a start waits. The message is for the operator. */
export class EventStoreUnreachable extends Error {
  override readonly name = 'EventStoreUnreachable';
}

/**
 * Opens the stores of the distributed way, once both servers answer. Documents and read models lie in one database.
 *
 * @throws UnusableUrl, EventStoreUnreachable, UnusableDatabase with a message for the operator, without credentials
 */
export const openServerPorts = async ({ eventStore, mongodb }: Servers) => {
  const clock = new SystemClock();
  const events = EventStoreDb.open({ url: eventStore.url, namespace: eventStore.namespace ?? '' });
  try {
    // The clock never runs back, not behind the log either (consistency.md, rule 16).
    const head = await headOf(events);
    if (head) clock.startAt(head.metadata.occurredAt);
    const documents = await openMongoDocuments({ ...mongodb, clock });
    return { clock, ids: new RandomIds(), events, documents, readModelStore: documents };
  } catch (error) {
    await events.close();
    throw error;
  }
};

const headOf = async (events: EventStoreDb): Promise<StoredEvent | null> => {
  for (const until = performance.now() + PATIENCE; ;) {
    try {
      return await events.head();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (performance.now() > until) {
        const message = `EVENTSTORE_URL: the event store did not answer for ${PATIENCE / 1_000} s: ${error.message}`;
        throw new EventStoreUnreachable(message, { cause: error });
      }
    }
    await sleep(RETRY_AFTER);
  }
};
