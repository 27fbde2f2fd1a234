import { it } from '@jest/globals';
import { eventStoreContract } from './event-store.contract.js';
import { EventStoreDb } from './event-store.eventstoredb.js';
import { newNamespace, serverUrl, tellSkipped } from './testing/event-store-server.js';

if (serverUrl === null) {
  tellSkipped('EventStoreDB:');
  it.skip('is skipped: EVENTSTORE_URL is not set', () => undefined);
} else {
  const namespace = newNamespace();
  const url = serverUrl;
  eventStoreContract('EventStoreDB', () => Promise.resolve(EventStoreDb.open({ url, namespace })));
}
