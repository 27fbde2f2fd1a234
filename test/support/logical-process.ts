import { Leases } from '#documents';
import { Aggregates } from '#event-store';
import type { Clock } from '#kernel';
import { UNINSTRUMENTED } from '#order';
import { CardFingerprints, TestProcessor } from '#payment';
import { CreateBookingHandler } from '../../libs/booking/src/testing/index.js';
import { CreateMandateHandler, PendingMandates } from '../../libs/mandate/src/testing/index.js';
import { ActiveGrants, Consents, Grants, RevokeAgentHandler } from '../../libs/oauth/src/testing/index.js';
import { orderUseCases } from '../../libs/order/src/testing/index.js';
import type { Intercept } from './intercept.js';
import { InterceptedDocuments } from './intercepted-documents.js';
import { InterceptedEventStore } from './intercepted-event-store.js';
import { InterceptedProcessor } from './intercepted-processor.js';
import { CHALLENGE_LIFE, SETTINGS, type SharedStores } from './shared-stores.js';

/** What makes a logical process a special one. */
export interface Peculiarities {
  /** Stands between its use cases and every port. */
  readonly intercept?: Intercept;
  /** Its own clock; otherwise that of the world. */
  readonly clock?: Clock;
  /** Waits before another try of an append. */
  readonly wait?: () => Promise<unknown>;
  /** Limits and waiting times other than those of the world. */
  readonly settings?: Readonly<Partial<typeof SETTINGS>>;
  /** Called with what its recovery workers could not do. */
  readonly onError?: (id: string, error: unknown) => void;
}

const straight: Intercept = (_, work) => work();
const shortly = () => Promise.resolve();

/**
 * One process of the service, without HTTP: caches, turns and handlers of its own over the stores it shares with others.
 */
export const logicalProcess = (
  stores: SharedStores,
  { intercept = straight, clock = stores.clock, wait = shortly, settings = {}, onError = fail }: Peculiarities = {},
) => {
  const { readModels, readModelStore, ids } = stores;
  const events = new InterceptedEventStore(stores.events, intercept);
  const documents = new InterceptedDocuments(stores.documents, intercept);
  // A life is short: room for a few streams is room for all of them.
  const aggregates = new Aggregates(events, clock, ids, { wait, cached: 100 });
  // The processor is somebody else's: its ledger is reached over its own line.
  const ledger = new InterceptedDocuments(stores.documents, (call, work) => intercept(`ledger: ${call}`, work));
  const cards = new CardFingerprints(ledger, clock, stores.secret);
  const processor = new InterceptedProcessor(new TestProcessor(ledger, cards, clock, ids, CHALLENGE_LIFE), intercept);
  const leases = new Leases(documents, clock, ids.next());
  const grants = new Grants(documents, clock);
  const consents = new Consents(documents, clock);
  const orders = orderUseCases({
    aggregates,
    documents,
    readModelStore,
    readModels,
    leases,
    processor,
    clock,
    ids,
    settings: { ...SETTINGS, ...settings },
    observer: { ...UNINSTRUMENTED, onError },
  });
  return {
    aggregates,
    processor,
    createBooking: new CreateBookingHandler(aggregates, clock, readModels),
    createMandate: new CreateMandateHandler(
      aggregates,
      clock,
      readModels,
      { openMandates: 0 },
      new PendingMandates(documents, aggregates, clock),
    ),
    grants,
    grantsInForce: new ActiveGrants(grants, aggregates),
    consents,
    revokeAgent: new RevokeAgentHandler(aggregates, grants, consents, orders.checkouts, readModels),
    ...orders,
  };
};

export type LogicalProcess = ReturnType<typeof logicalProcess>;

const fail = (id: string, error: unknown): never => {
  throw new Error(`settling ${id} failed`, { cause: error });
};
