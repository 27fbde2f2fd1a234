import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { importCatalog, readCatalogFile } from '#catalog';
import type { Config } from '#config';
import { createHttpAdapter } from '#http';
import { MandateEnding, Settlement, Settler } from '#order';
import { sendPage } from '#site';
import { notFoundPage } from '#storefront';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { serveDocs } from './docs-page.js';
import { nestLog } from './nest-log.js';
import { oauthSettings } from './oauth-settings.js';
import { openApiDocument } from './openapi.js';
import { closeParts, type Parts, partsOn } from './parts.js';
import { openEmbeddedPorts } from './ports.js';

/** A running API process. */
export interface RunningApi {
  readonly parts: Parts;
  /** Where it listens, `http://<address>:<port>`. */
  readonly origin: string;
  /** Stops accepting, finishes what runs and lets go of the stores. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the API with everything in one process. It listens once the catalogue is imported, the read models have caught
 * up with the log as it was at start, and every checkout that a crash left open is settled. `openPorts`: what it stands on.
 *
 * @throws UnusableFile, InvalidCatalog with a message for the operator
 */
export const startApi = async (config: Config, logger: Logger, openPorts = openEmbeddedPorts): Promise<RunningApi> => {
  const flights = await readCatalogFile(config.catalogFile ?? undefined);
  const parts = await partsOn(await openPorts(config), config, (projection, error) =>
    logger.error({ err: error, projection }, 'projection failed'),
  );
  try {
    await importCatalog(parts.aggregates, flights);
    await parts.readModels.start();
    const head = await parts.events.head();
    if (head) await parts.readModels.caughtUp(head.position);

    const app = await createApp(config, parts, logger);
    const settler = new Settler({
      ...parts,
      settings: parts.orderSettings,
      settlement: app.get(Settlement),
      ending: app.get(MandateEnding),
      onError: (id, error) => logger.error({ err: error, id }, 'settling failed'),
    });
    const settled = await settler.settleAll();
    if (settled > 0) logger.warn({ settled }, 'open checkouts settled');
    await app.listen(config.port, config.host);
    settler.start();
    return {
      parts,
      origin: await app.getUrl(),
      stop: async () => {
        await app.close();
        await settler.stop();
        await closeParts(parts);
      },
    };
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
};

/** Whoever is behind a proxy on this machine shares its address (design.md §5, Limits). */
const UNLIMITED_LOOPBACK =
  'TRUST_PROXY is not set: callers from a loopback address, such as everyone behind a proxy here, are not limited by address';

const createApp = async (config: Config, parts: Parts, logger: Logger): Promise<NestFastifyApplication> => {
  const { addresses, trustProxy, production } = config;
  if (production && trustProxy === null) logger.warn(UNLIMITED_LOOPBACK);
  const adapter = createHttpAdapter({
    addresses,
    trustProxy,
    logger,
    sendNotFoundPage: ({ links }, reply) => sendPage(reply, notFoundPage(links)),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(parts, oauthSettings(config)), adapter, {
    logger: nestLog(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const playground = config.playground ? `${addresses.links.auth}/oauth/playground` : null;
  serveDocs(app, openApiDocument(app, addresses.links), playground);
  await app.init();
  return app;
};
