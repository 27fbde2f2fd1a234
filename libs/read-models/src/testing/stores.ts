import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { EmbeddedDocuments, openMongoDocuments, type ReadModelStore } from '#documents';
import { EmbeddedEventStore, type EventStore, openEventStoreDb } from '#event-store';
import type { Clock } from '#kernel';
import { tellSkipped } from '#testing';

export interface Stores {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  readonly close: () => Promise<void>;
}

const { EVENTSTORE_URL, MONGODB_URL } = process.env;

/** Where the stores are: on the servers that the environment names, or in a folder. */
export const STORES = EVENTSTORE_URL && MONGODB_URL ? 'EventStoreDB and MongoDB' : 'the embedded stores';

/** Opens stores that nobody else uses. `clock`: what documents expire by. */
export const openStores = (clock: Clock): Promise<Stores> =>
  EVENTSTORE_URL && MONGODB_URL ? onServers(EVENTSTORE_URL, MONGODB_URL, clock) : inFolder(clock);

const onServers = async (eventStoreUrl: string, mongoUrl: string, clock: Clock): Promise<Stores> => {
  const name = `t-${randomUUID().slice(0, 8)}`;
  const events = await openEventStoreDb({ url: eventStoreUrl, namespace: name });
  const store = await openMongoDocuments({ url: mongoUrl, database: `alcada-${name}`, clock });
  const close = async () => {
    for (const collection of await store.collections('')) await store.drop(collection);
    await Promise.all([events.close(), store.close()]);
  };
  return { events, store, close };
};

const inFolder = async (clock: Clock): Promise<Stores> => {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  const events = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  const store = await EmbeddedDocuments.open({ file: join(folder, 'read-models.db'), durability: 'normal', clock });
  const close = async () => {
    await Promise.all([events.close(), store.close()]);
    rmSync(folder, { recursive: true });
  };
  return { events, store, close };
};

/** A case that holds for the embedded stores only, since servers are not so; over servers it says that, and is skipped. */
export const embeddedIt = (title: string, why: string, work: () => Promise<void>): void => {
  if (!EVENTSTORE_URL || !MONGODB_URL) it(title, work);
  else {
    tellSkipped(title, why);
    it.skip(title, work);
  }
};
