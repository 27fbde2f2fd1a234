import type { Servers } from '#config';
import { openMongoDocuments } from '#documents';
import { EventStoreDb } from '#event-store';
import { RandomIds, SystemClock } from '#kernel';
import { retryUntilAvailable } from './retry-until-available.js';

/**
 * Opens the stores of the distributed way, once both servers answer. Documents and read models lie in one database.
 *
 * @throws UnusableUrl, StoreUnreachable, UnusableDatabase with a message for the operator, without credentials
 */
export const openServerPorts = async ({ eventStore, mongodb }: Servers) => {
  const clock = new SystemClock();
  const events = EventStoreDb.open({ url: eventStore.url, namespace: eventStore.namespace ?? '' });
  try {
    // The clock never runs back, not behind the log either (docs/consistency.md, rule 16).
    const head = await retryUntilAvailable('EVENTSTORE_URL: the event store', () => events.head());
    if (head) clock.startAt(head.metadata.occurredAt);
    const documents = await openMongoDocuments({ ...mongodb, clock });
    return { clock, ids: new RandomIds(), events, documents, readModelStore: documents };
  } catch (error) {
    await events.close();
    throw error;
  }
};
