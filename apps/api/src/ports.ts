import { join } from 'node:path';
import type { Config } from '#config';
import { type Documents, EmbeddedDocuments, type ReadModelStore } from '#documents';
import { EmbeddedEventStore, type EventStore } from '#event-store';
import { type Clock, type Ids, RandomIds, SystemClock } from '#kernel';
import { openServerPorts } from './server-ports.js';

/** What everything else stands on: the ports whose adapters depend on how the program is run. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventStore;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
}

/**
 * Opens the stores that the configuration names: servers, or files of its own.
 *
 * @throws UnusableFile, UnusableUrl, StoreUnreachable, UnusableDatabase with a message for the operator
 */
export const openPorts = (config: Config): Promise<Ports> =>
  config.servers === null ? openEmbeddedPorts(config) : openServerPorts(config.servers);

/**
 * Opens the embedded stores in the data folder: one process holds them.
 *
 * @throws UnusableFile with a message for the operator
 */
export const openEmbeddedPorts = async ({ dataDir }: Config): Promise<Ports> => {
  const clock = new SystemClock();
  const events = await EmbeddedEventStore.open({ file: join(dataDir, 'events.db') });
  // The clock never runs back, not behind the log either (docs/consistency.md, rule 16).
  const head = await events.head();
  if (head) clock.startAt(head.metadata.occurredAt);
  const documents = await EmbeddedDocuments.open({ file: join(dataDir, 'documents.db'), durability: 'full', clock });
  const readModelStore = await EmbeddedDocuments.open({
    file: join(dataDir, 'read-models.db'),
    durability: 'normal',
    clock,
  });
  return { clock, ids: new RandomIds(), events, documents, readModelStore };
};
