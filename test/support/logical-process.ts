import { CommandBus } from '@nestjs/cqrs';
import { BookingSettings, ChangeBooking, CreateBooking } from '#booking';
import {
  CardFingerprints,
  CheckoutRecovery,
  Checkouts,
  CheckoutSettings,
  Locators,
  OrderOutcomes,
  PaymentProcessor,
  RecoveryObserver,
  Runner,
  TestProcessor,
  UNINSTRUMENTED,
} from '#checkout';
import { Documents, Leases, ReadModelStore } from '#documents';
import { Aggregates, EventStore } from '#event-store';
import { Clock, Ids } from '#kernel';
import {
  AlignAgent,
  CreateMandate,
  EndMandates,
  MandatePurposes,
  MandateSettings,
  RevokeMandate,
  SetSpendingCap,
} from '#mandate';
import { AttachedMetadata } from '#http';
import { Clients, OAuthSettings } from '#oauth';
import { ReadModels } from '#read-models';
import { ChangeBookingHandler, CreateBookingHandler } from '../../libs/booking/src/testing/index.js';
import {
  AlignAgentHandler,
  ApproveMandateHandler,
  CreateMandateHandler,
  EndMandatesHandler,
  NarrowMandateHandler,
  PauseAgentsHandler,
  PauseMandateHandler,
  ResumeAgentsHandler,
  ResumeMandateHandler,
  RevokeMandateHandler,
  SetSpendingCapHandler,
} from '../../libs/mandate/src/testing/index.js';
import {
  ActiveGrants,
  AuthorizationCodes,
  AuthorizationRequests,
  ConsentDecision,
  Consents,
  Grants,
  RevokeAgentHandler,
} from '../../libs/oauth/src/testing/index.js';
import { DecideChallengeHandler, PlaceOrder, PlaceOrderHandler } from '../../libs/order/src/testing/index.js';
import { type Intercept, interceptedDocuments, interceptedEventStore, interceptedProcessor } from './intercept.js';
import { CHALLENGE_LIFE, SETTINGS, type Stores } from './shared-stores.js';
import type { Type } from '@nestjs/common';

/** Makes one process's use cases by their constructors' types, as Nest does; one of each class, unless `anew`. */
const composition = (given: Iterable<readonly [type: unknown, instance: unknown]>) => {
  const instances = new Map(given);
  const anew = <Instance>(type: Type<Instance>): Instance => {
    const types = Reflect.getMetadata('design:paramtypes', type) as readonly Type<unknown>[];
    return new type(...types.map((one) => the(one)));
  };
  const the = <Instance>(type: Type<Instance>): Instance => {
    const instance = instances.get(type) ?? anew(type);
    instances.set(type, instance);
    return instance as Instance;
  };
  return { the, anew };
};

export interface Peculiarities {
  /** Stands between its use cases and every port. */
  readonly intercept?: Intercept;
  /** Its own clock; otherwise that of the world. */
  readonly clock?: Clock;
  /** On whose timer its commands lose patience; otherwise on that of its clock. */
  readonly patience?: Clock;
  /** Waits before another try of an append. */
  readonly wait?: () => Promise<unknown>;
  /** Limits and waiting times other than those of the world. */
  readonly settings?: Readonly<Partial<typeof SETTINGS>>;
  /** Called with what its recovery workers could not do. */
  readonly onError?: (id: string, error: unknown) => void;
  /** Parts of it that only some have, and that their types do not say how to make. */
  readonly others?: (parts: {
    readonly documents: Documents;
    readonly aggregates: Aggregates;
    readonly clock: Clock;
  }) => Iterable<readonly [type: unknown, instance: unknown]>;
}

const straight: Intercept = (_, work) => work();
const shortly = () => Promise.resolve();

/** One process of the service, without HTTP: caches, turns and handlers of its own over stores it shares. */
export const logicalProcess = (
  stores: Stores,
  {
    intercept = straight,
    clock = stores.clock,
    patience = clock,
    wait = shortly,
    settings = {},
    onError = fail,
    others = () => [],
  }: Peculiarities = {},
) => {
  const { readModels, readModelStore, ids } = stores;
  const events = interceptedEventStore(stores.events, intercept);
  const documents = interceptedDocuments(stores.documents, intercept);
  // A life is short: room for a few streams is room for all of them.
  const patient =
    patience === clock ? clock : (Object.create(clock, { monotonic: { value: () => patience.monotonic() } }) as Clock);
  const aggregates = new Aggregates(events, patient, ids, { wait, cached: 100 });
  // The processor is somebody else's: its ledger is reached over its own line.
  const ledger = interceptedDocuments(stores.documents, (call, work) => intercept(`ledger: ${call}`, work));
  const cards = new CardFingerprints(ledger, clock, stores.secret);
  const processor = interceptedProcessor(new TestProcessor(ledger, cards, clock, ids, CHALLENGE_LIFE), intercept);
  const { the, anew } = composition([
    [Aggregates, aggregates],
    [EventStore, events],
    [Documents, documents],
    [ReadModelStore, readModelStore],
    [ReadModels, readModels],
    [Leases, new Leases(documents, clock, ids.next())],
    [AttachedMetadata, new AttachedMetadata(documents, true)],
    [PaymentProcessor, processor],
    [Locators, new Locators(stores.secret)],
    [Clock, clock],
    [Ids, ids],
    [MandateSettings, { openMandates: 0 }],
    [BookingSettings, { ...SETTINGS, ...settings }],
    [CheckoutSettings, { ...SETTINGS, ...settings }],
    [OrderOutcomes, new OrderOutcomes({ info: () => undefined })],
    [OAuthSettings, { newAgentsAsk: false }],
    [RecoveryObserver, { ...UNINSTRUMENTED, onError }],
    [CommandBus, { execute: (command: unknown) => carryOut(command) }],
    ...others({ documents, aggregates, clock }),
  ]);
  const createMandate = the(CreateMandateHandler);
  /** What a consent, a platform or the page of a purchase has others do. */
  const carryOut = (command: unknown): Promise<unknown> => {
    if (command instanceof CreateMandate) return createMandate.execute(command);
    if (command instanceof CreateBooking) return the(CreateBookingHandler).execute(command);
    if (command instanceof ChangeBooking) return the(ChangeBookingHandler).execute(command);
    if (command instanceof PlaceOrder) return the(PlaceOrderHandler).execute(command);
    if (command instanceof SetSpendingCap) return the(SetSpendingCapHandler).execute(command);
    if (command instanceof AlignAgent) return the(AlignAgentHandler).execute(command);
    if (command instanceof EndMandates) return the(EndMandatesHandler).execute(command);
    if (command instanceof RevokeMandate) return the(RevokeMandateHandler).execute(command);
    throw new Error('nobody carries this out');
  };
  const requests = the(AuthorizationRequests);
  const grants = the(Grants);
  return {
    /** The one instance of any other use case. */
    the,
    aggregates,
    events,
    documents,
    processor,
    createBooking: the(CreateBookingHandler),
    createMandate,
    approveMandate: the(ApproveMandateHandler),
    narrowMandate: the(NarrowMandateHandler),
    pauseAgents: the(PauseAgentsHandler),
    pauseMandate: the(PauseMandateHandler),
    resumeAgents: the(ResumeAgentsHandler),
    resumeMandate: the(ResumeMandateHandler),
    revokeMandate: the(RevokeMandateHandler),
    setSpendingCap: the(SetSpendingCapHandler),
    decideChallenge: the(DecideChallengeHandler),
    placeOrder: the(PlaceOrderHandler),
    checkouts: the(Checkouts),
    /** Keeps no lease until it is started. */
    runner: the(Runner),
    clients: the(Clients),
    requests,
    consent: the(ConsentDecision),
    grants,
    grantsInForce: the(ActiveGrants),
    consents: the(Consents),
    revokeAgent: the(RevokeAgentHandler),
    /** A recovery worker with an empty memory. */
    newRecovery: () => anew(CheckoutRecovery),
    /** The collections of consents are there from now on. */
    prepare: async () => {
      for (const one of [requests, grants, the(Consents), the(AuthorizationCodes), the(Clients)]) await one.prepare();
      for (const one of [the(MandatePurposes), the(AttachedMetadata)]) await one.prepare();
    },
  };
};

export type LogicalProcess = ReturnType<typeof logicalProcess>;

const fail = (id: string, error: unknown): never => {
  throw new Error(`settling ${id} failed`, { cause: error });
};
