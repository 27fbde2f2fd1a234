import { tellNotGiven } from '#testing';
import { aggregatesContract } from './aggregates.contract.js';
import { EventStoreDb } from './event-store.eventstoredb.js';
import { newNamespace, serverUrl } from './testing/event-store-server.js';

if (serverUrl === null) {
  tellNotGiven('aggregates over EventStoreDB', 'EVENTSTORE_URL');
  it.skip('skipped: EVENTSTORE_URL is not set', () => undefined);
} else {
  const url = serverUrl;
  describe('aggregates over EventStoreDB', () => {
    aggregatesContract(() => Promise.resolve(EventStoreDb.open({ url, namespace: newNamespace() })));
  });
}
