import { join } from 'node:path';
import { bookingsProjection } from '#booking';
import { flightsProjection } from '#catalog';
import type { Config } from '#config';
import { Documents, EmbeddedDocuments, Leases, LEASES, ReadModelStore, SECRETS, storedSecret } from '#documents';
import { Aggregates, EmbeddedEventStore, EventStore } from '#event-store';
import { IDEMPOTENCY, IdempotentRequests } from '#http';
import { Clock, Ids, RandomIds, SystemClock } from '#kernel';
import { MandateSettings, mandatesProjection, openMandatesProjection } from '#mandate';
import {
  BUYERS,
  CHALLENGE_SLOTS,
  openCheckoutsProjection,
  OrderSettings,
  ordersProjection,
  receiptsProjection,
  REFUSED_CARDS,
} from '#order';
import { CARD_TRACES, CardTraces, LEDGER, PaymentProcessor, TestProcessor } from '#payment';
import { type OnProjectionError, ReadModels } from '#read-models';

/** Every read model of the program. */
export const PROJECTIONS = [
  flightsProjection,
  bookingsProjection,
  mandatesProjection,
  ordersProjection,
  receiptsProjection,
  openCheckoutsProjection,
  openMandatesProjection,
] as const;

/** Every collection of documents that cannot be rebuilt, but for the authorization server's own. */
const COLLECTIONS = [
  SECRETS,
  LEASES,
  IDEMPOTENCY,
  LEDGER,
  CARD_TRACES,
  BUYERS,
  CHALLENGE_SLOTS,
  REFUSED_CARDS,
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
  readonly idempotent: IdempotentRequests;
  readonly leases: Leases;
  readonly orderSettings: OrderSettings;
  readonly mandateSettings: MandateSettings;
}

/**
 * Opens the embedded stores in the data folder: one process holds them.
 *
 * @throws UnusableFile with a message for the operator
 */
export const openParts = async (
  { dataDir, times, limits }: Config,
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
  for (const collection of COLLECTIONS) await documents.prepare(collection);
  const traces = new CardTraces(documents, clock, await storedSecret(documents, 'card-traces'));
  const idempotency = await storedSecret(documents, 'idempotency');
  return {
    clock,
    ids,
    events,
    documents,
    readModelStore,
    aggregates: new Aggregates(events, clock, ids),
    readModels: new ReadModels(events, readModelStore, PROJECTIONS, onProjectionError),
    processor: new TestProcessor(documents, traces, clock, ids, times.challenge),
    idempotent: new IdempotentRequests(documents, clock, ids, idempotency, times.idempotencyLease),
    leases: new Leases(documents, clock, ids.next()),
    orderSettings: { ...times, ...limits },
    mandateSettings: limits,
  };
};

/** Lets go of everything, the log last: what runs may still write. */
export const closeParts = async ({ readModels, readModelStore, documents, events }: Parts): Promise<void> => {
  await readModels.stop();
  await readModelStore.close();
  await documents.close();
  await events.close();
};
