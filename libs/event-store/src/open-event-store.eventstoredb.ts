import type { EventStoreDbOptions } from './event-store.eventstoredb.js';
import type { EventStore } from './event-store.port.js';

/** Opens the event log of an EventStoreDB, whose client is loaded only now. @throws UnusableUrl */
export const openEventStoreDb = async (options: EventStoreDbOptions): Promise<EventStore> => {
  const { EventStoreDb } = await import('./event-store.eventstoredb.js');
  return EventStoreDb.open(options);
};
