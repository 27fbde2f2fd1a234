import type { EventStoreDbOptions } from './event-store.eventstoredb.js';
import type { EventStore } from './event-store.port.js';
import type { EventStoreLook } from './look.eventstoredb.js';

/** Opens the event log of an EventStoreDB, whose client is loaded only now. @throws UnusableUrl */
export const openEventStoreDb = async (options: EventStoreDbOptions): Promise<EventStore> => {
  const { EventStoreDb } = await import('./event-store.eventstoredb.js');
  return EventStoreDb.open(options);
};

/** What the login of a URL may do there, and how soon it answers; nothing is written. @throws UnusableUrl, or the client's error */
export const lookAtEventStoreDb = async (options: EventStoreDbOptions, patience: number): Promise<EventStoreLook> => {
  const { look } = await import('./look.eventstoredb.js');
  return look(options, patience);
};
