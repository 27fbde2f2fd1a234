import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { DayOpener, importCatalog, importCatalogAlone, openDays, readCatalogFile, zonesOf } from '#catalog';
import { CheckoutRecovery, Runner } from '#checkout';
import type { Config } from '#config';
import { AccessTokens, createHttpAdapter, KeptAnswers } from '#http';
import { type Cancel, nextTurn, STOP_BUDGET } from '#kernel';
import { Clients, shownName } from '#oauth';
import { RetiredCollections } from '#read-models';
import {
  type Dependencies,
  endDamaged,
  nestLogger,
  openDependencies,
  type Opened,
  opening,
  openPorts,
  progressLine,
  PROJECTIONS,
  reactorsOf,
  retryUntilAvailable,
  type Screen,
  serveOperator,
} from '#runtime';
import { sendPage } from '#site';
import { notFoundPage } from '#storefront';
import { type Traffic, trafficOf } from '#traffic';
import { ucpErrors } from '#ucp';
import { KeyDirectories, WebBotAuth } from '#remote';
import { AppModule } from './app.module.js';
import { serveDocs } from './docs.js';
import { Readiness } from './readiness.js';

export interface RunningApi {
  readonly dependencies: Dependencies;
  /** Counts the calls of agents; null where the configuration says not to. */
  readonly traffic: Traffic | null;
  readonly origin: string;
  /** Stops accepting requests, finishes those under way and closes the stores. */
  readonly stop: () => Promise<void>;
}

const FILES = { events: 'event-log', documents: 'documents', waitsForLists: false };
const SERVERS = { events: 'eventstore', documents: 'mongodb', waitsForLists: true };

/** How often (ms) the terminal shows how far read models are that are being built. */
const TELL = 250;

/** Starts the API; embedded, it settles first what a crash left open (docs/adr/0092). @throws InvalidCatalog, AheadOfLog, others */
export const startApi = (
  config: Config,
  logger: Logger,
  open = openPorts,
  screen: Screen | null = null,
): Promise<RunningApi> =>
  opening(logger, async (opened) => {
    const isAlone = config.servers === null;
    const flights = await readCatalogFile(config.catalogFile ?? undefined);
    const zones = zonesOf(flights);
    const dependencies = await openDependencies(config, 'alcada-api', logger, opened, open);
    await retryUntilAvailable(dependencies.clock, 'the event log', () =>
      isAlone
        ? importCatalogAlone(dependencies.aggregates, dependencies.events, dependencies.documents, flights)
        : importCatalog(dependencies.aggregates, flights),
    );
    await retryUntilAvailable(dependencies.clock, 'the event log', () => openDays(dependencies.aggregates, zones));
    if (isAlone) await projectHere(dependencies);
    else
      await retryUntilAvailable(dependencies.clock, 'the store of the read models', () =>
        dependencies.readModels.follow(),
      );
    const readiness = new Readiness(dependencies, isAlone ? FILES : SERVERS);
    let recovery: CheckoutRecovery | null = null;
    opened.add('work', () => recovery?.stop()); // after the requests, which recovery finishes if they break off
    const { app, traffic } = await createApp(config, dependencies, readiness, logger, opened);
    if (isAlone) recovery = await settleHere(app, logger);
    else await startRunner(app, opened);
    await app.listen(config.port, config.host);
    recovery?.start();
    if (zones.length > 0) startOpening(dependencies, zones, logger, opened);
    if (isAlone) startReactors(dependencies, config, logger, opened);
    if (dependencies.checking) await serveCommands(config, dependencies, logger, opened);
    if (isAlone) opened.add('work', reportBuilding(dependencies, logger, screen));
    const stopChecking = dependencies.checking?.((damage) => endDamaged(logger, damage));
    if (stopChecking) opened.add('work', stopChecking);
    traffic?.begin();
    return {
      dependencies,
      traffic,
      origin: await app.getUrl(),
      stop: async () => {
        readiness.stop();
        if (!isAlone) await dependencies.clock.sleep(STOP_BUDGET.farewell);
        await opened.close();
      },
    };
  });

/** Keeps the read models up to date in this process without waiting for those far behind, and drops those of earlier versions. */
const projectHere = async ({
  readModels,
  events,
  readModelStore: store,
  leases,
  clock,
}: Dependencies): Promise<void> => {
  await readModels.start();
  const head = await events.head();
  if (head) await readModels.builtCaughtUp(head.position);
  await new RetiredCollections({ store, leases, clock, projections: PROJECTIONS, after: 0 }).look();
};

/** Puts a day more of the timetables on sale whenever one begins. */
const startOpening = (dependencies: Dependencies, zones: readonly string[], logger: Logger, opened: Opened): void => {
  const opener = new DayOpener(dependencies, zones, (error) => logger.warn({ err: error }, 'no day was opened'));
  opened.add('work', () => opener.stop());
  opener.start();
};

/** Runs the commands of operators that change the files of this process; where no socket can be made, they need it stopped. */
const serveCommands = async (
  config: Config,
  dependencies: Dependencies,
  logger: Logger,
  opened: Opened,
): Promise<void> => {
  try {
    opened.add('work', await serveOperator(config, dependencies, logger));
  } catch (error) {
    logger.warn({ err: error }, 'commands that change data need this server stopped');
  }
};

const startReactors = (dependencies: Dependencies, config: Config, logger: Logger, opened: Opened): void => {
  for (const reactor of reactorsOf(dependencies, config, logger)) {
    opened.add('work', () => reactor.stop());
    reactor.start();
  }
};

/** Shows how far the read models are that are being built, and logs when they are. Returns the function that ends it. */
const reportBuilding = ({ readModels, clock }: Dependencies, logger: Logger, screen: Screen | null): Cancel => {
  if (readModels.builtShare === 1) return () => undefined;
  const since = clock.monotonic();
  const show = screen && progressLine('Read models', screen);
  const stop = clock.every(TELL, () => {
    const share = readModels.builtShare;
    show?.(share);
    if (share < 1) return;
    stop();
    logger.info({ seconds: (clock.monotonic() - since) / 1_000 }, 'read models built');
  });
  return stop;
};

/** Settles what a crash left open, as far as that is known yet. Returns the recovery worker, which is not started yet. */
const settleHere = async (app: NestFastifyApplication, logger: Logger): Promise<CheckoutRecovery> => {
  const recovery = app.get(CheckoutRecovery);
  const settled = await recovery.finishAll();
  if (settled > 0) logger.warn({ settled }, 'open checkouts settled');
  return recovery;
};

/** Keeps the lease by which others know that this process lives, for as long as requests may run. */
const startRunner = async (app: NestFastifyApplication, opened: Opened): Promise<void> => {
  const runner = app.get(Runner);
  opened.add('work', () => runner.stop());
  await runner.start();
};

const createApp = async (
  config: Config,
  dependencies: Dependencies,
  readiness: Readiness,
  logger: Logger,
  opened: Opened,
): Promise<{ readonly app: NestFastifyApplication; readonly traffic: Traffic | null }> => {
  const { addresses, trustProxy, connections } = config;
  const { telemetry } = dependencies;
  const traffic = config.countsTraffic ? trafficNaming(() => app, dependencies, logger) : null;
  if (traffic) opened.add('traffic', () => traffic.stop());
  const adapter = createHttpAdapter({
    addresses,
    trustProxy,
    logger,
    ids: dependencies.ids,
    clock: dependencies.clock,
    sendNotFoundPage: ({ urls }, reply) => sendPage(reply, notFoundPage(urls)),
    errorsBelow: new Map(config.ucp ? [['ucp', ucpErrors]] : []),
    connections,
    rates: dependencies.rates,
    signatures: new WebBotAuth(new KeyDirectories(dependencies.remoteDocuments), dependencies.clock),
    kept: new KeptAnswers(),
    instrumentation: telemetry?.requests,
    answered: traffic?.answered,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(dependencies, readiness), adapter, {
    logger: nestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  opened.add('requests', async () => {
    await app.close();
    // Sockets that were cut close at the end of a turn, after their server: only then are their requests counted.
    for (let turn = 0; turn < 2; turn += 1) await nextTurn();
  });
  telemetry?.instrumentCommands(app.get(CommandBus));
  // Where every token must be bound to a key, the playground gets none.
  const playground = config.playground && !config.requiresDpop ? `${addresses.urls.auth}/oauth/playground` : null;
  serveDocs(app, { urls: addresses.urls, playground });
  await app.init();
  return { app, traffic };
};

/** Counts the calls of agents by the names that their clients are registered under. */
const trafficNaming = (app: () => NestFastifyApplication, dependencies: Dependencies, logger: Logger): Traffic =>
  trafficOf({
    ...dependencies,
    key: dependencies.trafficKey,
    nameOf: async (clientId) => {
      const client = await app().get(Clients).find(clientId);
      return client && shownName(client);
    },
    knownCallerOf: (request) => app().get(AccessTokens).knownCallerOf(request),
    onError: (error) => logger.warn({ err: error }, 'traffic is not written down yet'),
  });
