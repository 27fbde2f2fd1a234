import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { importCatalog, readCatalogFile } from '#catalog';
import type { Config } from '#config';
import { createHttpAdapter } from '#http';
import { CheckoutRecovery, MandateEnding, Settlement } from '#order';
import { Clients } from '#oauth';
import { type OnProjectionError, RetiredCollections } from '#read-models';
import { sendPage } from '#site';
import { notFoundPage } from '#storefront';
import type { Telemetry } from '#telemetry';
import { type Traffic, trafficOf } from '#traffic';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { serveDocs } from './docs-page.js';
import { nestLog } from './nest-log.js';
import { oauthSettings } from './oauth-settings.js';
import { openApiDocument } from './openapi.js';
import { closeParts, type Parts, partsOn, PROJECTIONS } from './parts.js';
import { retryUntilAvailable } from './retry-until-available.js';
import { openPorts } from './ports.js';
import { watchProcess } from './watch-process.js';

/** A running API process. */
export interface RunningApi {
  readonly parts: Parts;
  /** What watches it; null: nothing. */
  readonly telemetry: Telemetry | null;
  /** What counts the calls of agents; null: nothing does. */
  readonly traffic: Traffic | null;
  /** Where it listens, `http://<address>:<port>`. */
  readonly origin: string;
  /** Stops accepting, finishes what runs and lets go of the stores. */
  readonly stop: () => Promise<void>;
}

/** How long (ms) this process says that it stops before it takes no more requests: a proxy asks once a second. */
const FAREWELL = 1_500;

/**
 * Starts the API, embedded with everything in one process: it listens once the catalogue is imported, the read models have
 * caught up with the log as it was at start, and every checkout that a crash left open is settled. Beside other processes
 * it listens at once, and its readiness tells how far the read models are. `open`: opens what it stands on.
 *
 * @throws InvalidCatalog, AheadOfLog and what `openPorts` throws, with a message for the operator
 */
export const startApi = async (config: Config, logger: Logger, open = openPorts): Promise<RunningApi> => {
  const isAlone = config.servers === null;
  const flights = await readCatalogFile(config.catalogFile ?? undefined);
  const telemetry = await watchProcess(config, 'alcada-api', logger);
  const onProjectionError: OnProjectionError = (projection, error) =>
    logger.error({ err: error, projection }, 'projection failed');
  const parts = await partsOn(await open(config), config, onProjectionError, telemetry);
  try {
    await retryUntilAvailable('the event log', () => importCatalog(parts.aggregates, flights));
    if (isAlone) await projectHere(parts);
    else await retryUntilAvailable('the store of the read models', () => parts.readModels.follow());
    const { app, traffic } = await createApp(config, parts, logger, telemetry);
    const settler = isAlone ? await settleHere(parts, app, logger, telemetry) : null;
    await app.listen(config.port, config.host);
    settler?.start();
    traffic?.begin();
    return {
      parts,
      telemetry,
      traffic,
      origin: await app.getUrl(),
      stop: async () => {
        parts.readiness.stop();
        if (!isAlone) await sleep(FAREWELL);
        await app.close();
        await traffic?.stop();
        await settler?.stop();
        await closeParts(parts);
        await telemetry?.stop();
      },
    };
  } catch (error) {
    await closeParts(parts);
    await telemetry?.stop();
    throw error;
  }
};

/** Keeps the read models up with the log in this process, and drops those of versions before: nobody else reads them. */
const projectHere = async ({ readModels, events, readModelStore: store, leases, clock }: Parts): Promise<void> => {
  await readModels.start();
  const head = await events.head();
  if (head) await readModels.caughtUp(head.position);
  await new RetiredCollections({ store, leases, clock, projections: PROJECTIONS, after: 0 }).look();
};

/** Settles what a crash left open; answers the settler, which is not started yet. */
const settleHere = async (
  parts: Parts,
  app: NestFastifyApplication,
  logger: Logger,
  telemetry: Telemetry | null,
): Promise<CheckoutRecovery> => {
  const settler = new CheckoutRecovery({
    ...parts,
    settings: parts.orderSettings,
    settlement: app.get(Settlement),
    ending: app.get(MandateEnding),
    onError: (id, error) => logger.error({ err: error, id }, 'settling failed'),
    watch: telemetry?.settler,
  });
  const settled = await settler.settleAll();
  if (settled > 0) logger.warn({ settled }, 'open checkouts settled');
  return settler;
};

/** Whoever is behind a proxy on this machine shares its address (docs/decisions.md, Limits). */
const UNLIMITED_LOOPBACK =
  'TRUST_PROXY is not set: callers from a loopback address, such as everyone behind a proxy here, are not limited by address';

const createApp = async (
  config: Config,
  parts: Parts,
  logger: Logger,
  telemetry: Telemetry | null,
): Promise<{ readonly app: NestFastifyApplication; readonly traffic: Traffic | null }> => {
  const { addresses, trustProxy, production } = config;
  let traffic: Traffic | null = null;
  if (production && trustProxy === null) logger.warn(UNLIMITED_LOOPBACK);
  const adapter = createHttpAdapter({
    addresses,
    trustProxy,
    logger,
    sendNotFoundPage: ({ urls }, reply) => sendPage(reply, notFoundPage(urls)),
    watch: telemetry?.requests,
    answered: (request, reply) => traffic?.answered(request, reply),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(parts, oauthSettings(config)), adapter, {
    logger: nestLog(logger),
    bodyParser: false,
    abortOnError: false,
    ...(telemetry && { instrument: { instanceDecorator: telemetry.decorate } }),
  });
  if (config.countsTraffic) traffic = trafficIn(app, parts, logger);
  const playground = config.playground ? `${addresses.urls.auth}/oauth/playground` : null;
  serveDocs(app, openApiDocument(app, addresses.urls), playground);
  await app.init();
  return { app, traffic };
};

/** What counts the calls of agents, by the names that their clients are registered under. */
const trafficIn = (app: NestFastifyApplication, { trafficKey: key, ...parts }: Parts, logger: Logger): Traffic => {
  const clients = app.get(Clients);
  const nameOf = async (clientId: string) => (await clients.find(clientId))?.name ?? null;
  const onError = (error: unknown) => logger.warn({ err: error }, 'traffic is not written down yet');
  return trafficOf({ ...parts, key, nameOf, onError });
};
