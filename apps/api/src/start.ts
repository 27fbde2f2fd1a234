import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { importCatalog, readCatalogFile } from '#catalog';
import type { Config } from '#config';
import { createHttpAdapter } from '#http';
import { type OAuthSettings } from '#oauth';
import { MandateEnding, Settlement, Settler } from '#order';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { nestLog } from './nest-log.js';
import { openApiDocument } from './openapi.js';
import { closeParts, openParts, type Parts } from './parts.js';

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
 * up with the log as it was at start, and every checkout that a crash left open is settled.
 *
 * @throws UnusableFile, InvalidCatalog with a message for the operator
 */
export const startApi = async (config: Config, logger: Logger): Promise<RunningApi> => {
  const flights = await readCatalogFile(config.catalogFile ?? undefined);
  const parts = await openParts(config, (projection, error) =>
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

const createApp = async (config: Config, parts: Parts, logger: Logger): Promise<NestFastifyApplication> => {
  const oauth: OAuthSettings = oauthSettings(config);
  const adapter = createHttpAdapter({ addresses: config.addresses, logger });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(parts, oauth), adapter, {
    logger: nestLog(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const document = openApiDocument(app, config.addresses.links);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'api/v1/openapi.json',
    yamlDocumentUrl: 'api/v1/openapi.yaml',
    customSiteTitle: 'Alçada: API',
  });
  await app.init();
  return app;
};

/** The built-in client and travellers (design.md §5, Fixed names). */
const oauthSettings = ({ addresses, keyEncryptionKey, pilot, travellers }: Config): OAuthSettings => ({
  addresses,
  keyEncryptionKey,
  clients: [
    {
      ...pilot,
      name: 'Cliente piloto',
      redirectUris: ['http://127.0.0.1:8765/callback', 'http://localhost:8765/callback', '{auth_url}/oauth/playground'],
      pilot: true,
    },
  ],
  accounts: travellers,
});
