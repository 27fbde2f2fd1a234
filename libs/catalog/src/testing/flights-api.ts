import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { baseUrlsAt, createHttpAdapter, ErrorFilter, KeptAnswers, RateLimiter, WarningsGuard } from '#http';
import { Clock, RandomIds } from '#kernel';
import { ReadModels } from '#read-models';
import { FixedClock } from '#testing';
import { pino } from 'pino';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { UNLIMITED } from '../../../http/src/testing/index.js';
import { CatalogModule } from '../catalog.module.js';
import { type CatalogEntry, readCatalogFile } from '../catalog-file.js';
import { flightsProjection } from '../flights.projection.js';
import { importCatalog } from '../import-catalog.js';
import { withoutDate } from './index.js';

@Module({})
class Stores {}

const LIMITS = { ...UNLIMITED, publicReads: 1_000_000 };

/** The public flight endpoints over stores of their own, with a catalogue on sale: by default the one that ships, without dates. */
export const startFlightsApi = async (catalog?: readonly CatalogEntry[]) => {
  const clock = new FixedClock();
  const log = new MemoryEventStore();
  const store = new MemoryDocuments(clock);
  const aggregates = new Aggregates(log, clock, new RandomIds());
  await importCatalog(aggregates, catalog ?? (await readCatalogFile()).map(withoutDate));
  const readModels = new ReadModels(log, store, [flightsProjection], clock, (_, error) => {
    throw error;
  });
  await readModels.start();

  let documentsRead = 0;
  const watched = Object.assign(Object.create(store) as ReadModelStore, {
    get: (...args: Parameters<ReadModelStore['get']>) => {
      documentsRead += 1;
      return store.get(...args);
    },
    find: async <Body>(...args: Parameters<ReadModelStore['find']>) => {
      const found = await store.find<Body>(...args);
      documentsRead += found.length;
      return found;
    },
  });

  const stores: DynamicModule = {
    module: Stores,
    global: true,
    imports: [CqrsModule.forRoot(), CatalogModule],
    providers: [
      { provide: Clock, useValue: clock },
      { provide: Aggregates, useValue: aggregates },
      { provide: ReadModelStore, useValue: watched },
      { provide: ReadModels, useValue: readModels },
      { provide: APP_GUARD, useClass: WarningsGuard },
    ],
    exports: [Clock, Aggregates, ReadModelStore, ReadModels],
  };
  const listening = async (kept?: KeptAnswers) => {
    const adapter = createHttpAdapter({
      addresses: { urls: baseUrlsAt('https://voos.example'), followLoopback: false },
      logger: pino({ level: 'silent' }),
      trustProxy: 'none',
      rates: new RateLimiter(clock, LIMITS),
      kept,
    });
    const app = await NestFactory.create<NestFastifyApplication>(stores, adapter, { logger: false, bodyParser: false });
    app.useGlobalFilters(new ErrorFilter());
    await app.listen(0, '127.0.0.1');
    return app;
  };
  const app = await listening(new KeptAnswers());
  const origin = await app.getUrl();
  const apps = [app];

  const caughtUp = async (): Promise<void> => {
    const head = await log.head();
    if (head) await readModels.caughtUp(head.position);
  };
  await caughtUp();

  return {
    app,
    aggregates,
    clock,
    log,
    caughtUp,
    documentsRead: () => documentsRead,
    /** The same flights at another origin, by a server that nobody has asked yet. */
    another: async (kept?: KeptAnswers): Promise<string> => {
      const other = await listening(kept);
      apps.push(other);
      return other.getUrl();
    },
    /** GET below `/flights`. */
    get: async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${origin}/api/v1/flights${path}`, { headers });
      const text = await answer.text();
      const body = text === '' ? null : (JSON.parse(text) as unknown);
      return { status: answer.status, body, etag: answer.headers.get('etag') };
    },
    stop: async (): Promise<void> => {
      for (const one of apps) await one.close();
      await readModels.stop();
    },
  };
};
