import { join } from 'node:path';
import { bookingsProjection } from '#booking';
import { flightsProjection } from '#catalog';
import type { Config } from '#config';
import { Documents, EmbeddedDocuments, ReadModelStore } from '#documents';
import { Aggregates, EmbeddedEventStore, EventStore } from '#event-store';
import { Clock, Ids, RandomIds, SystemClock } from '#kernel';
import { mandatesProjection } from '#mandate';
import { BUYERS, openCheckoutsProjection, ordersProjection, receiptsProjection } from '#order';
import { LEDGER, PaymentProcessor, TestProcessor } from '#payment';
import { type OnProjectionError, ReadModels } from '#read-models';

/** Every read model of the program. */
export const PROJECTIONS = [
  flightsProjection,
  bookingsProjection,
  mandatesProjection,
  ordersProjection,
  receiptsProjection,
  openCheckoutsProjection,
] as const;

/** The ports of a process with their adapters. */
export interface Parts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: EventStore;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly aggregates: Aggregates;
  readonly readModels: ReadModels;
  readonly processor: PaymentProcessor;
}

/**
 * Opens the embedded stores in the data folder: one process holds them.
 *
 * @throws UnusableFile with a message for the operator
 */
export const openParts = async (
  { dataDir }: Pick<Config, 'dataDir'>,
  onProjectionError: OnProjectionError,
): Promise<Parts> => {
  const clock = new SystemClock();
  const ids = new RandomIds();
  const events = await EmbeddedEventStore.open({ file: join(dataDir, 'events.db') });
  // The clock never runs back, not behind the log either (consistency.md, rule 16).
  const head = await events.head();
  if (head) clock.startAt(head.metadata.occurredAt);
  const documents = await EmbeddedDocuments.open({ file: join(dataDir, 'documents.db'), durability: 'full', clock });
  const readModelStore = await EmbeddedDocuments.open({
    file: join(dataDir, 'read-models.db'),
    durability: 'normal',
    clock,
  });
  for (const collection of [LEDGER, BUYERS]) await documents.prepare(collection);
  return {
    clock,
    ids,
    events,
    documents,
    readModelStore,
    aggregates: new Aggregates(events, clock, ids),
    readModels: new ReadModels(events, readModelStore, PROJECTIONS, onProjectionError),
    processor: new TestProcessor(documents, clock, ids),
  };
};

/** Lets go of everything, the log last: what runs may still write. */
export const closeParts = async ({ readModels, readModelStore, documents, events }: Parts): Promise<void> => {
  await readModels.stop();
  await readModelStore.close();
  await documents.close();
  await events.close();
};
