import { Controller, Get, Global, Module, type Type, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { flightsProjection } from '#catalog';
import { Documents, DocumentsUnavailable, ReadModelStore } from '#documents';
import { Aggregates, type EventStore } from '#event-store';
import { GuardedDocuments, INTERNET, type Network, RemoteDocuments } from '#remote';
import {
  createHttpAdapter,
  CurrentCaller,
  ErrorFilter,
  RateLimiter,
  type RateLimits,
  type RequestSignatures,
  RequireScopes,
  ScopesGuard,
} from '#http';
import { IdentitySettings } from '#identity';
import { type Caller, Clock, Ids, RandomIds } from '#kernel';
import { MandateSettings } from '#mandate';
import { ReadModels } from '#read-models';
import { SiteModule } from '#site';
import { FixedClock, withCalls } from '#testing';
import { pino } from 'pino';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { UNLIMITED } from '../../../http/src/testing/index.js';
import { OAuthModule } from '../oauth.module.js';
import { OAuthSettings } from '../oauth-settings.js';
import { giveSigningKey } from './signing-key.js';
import { testSettings } from './test-settings.js';

@UseGuards(ScopesGuard)
@Controller('api/v1/quem-sou')
class ProtectedController {
  @Get()
  @RequireScopes('booking:write')
  whoAmI(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
}

/** The message of a driver that cannot reach its store. It must never be answered. */
export const UNREACHABLE = 'cannot reach mongodb://alcada:senha-do-banco@10.0.0.7';

/** The authorization server and one protected operation, over stores in memory, if no others are given. */
export interface TestServer {
  readonly port: number;
  readonly clock: FixedClock;
  readonly documents: ReadModelStore;
  readonly eventStore: EventStore;
  /** Makes the document store unreachable (true), or reachable again (false). */
  readonly cutOff: (isCutOff: boolean) => void;
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** `modules`: what it serves beside OAuth; `network`: where others' documents are; `beside`: whose stores it shares. */
export const startTestServer = async (
  change: Partial<OAuthSettings> = {},
  limits: Partial<RateLimits> = {},
  modules: readonly Type[] = [],
  network: Network = INTERNET,
  signatures?: RequestSignatures,
  beside: Pick<TestServer, 'clock' | 'documents' | 'eventStore'> | null = null,
): Promise<TestServer> => {
  const settings = testSettings(change);
  const clock = beside?.clock ?? new FixedClock();
  const documents = beside?.documents ?? new MemoryDocuments(clock);
  const eventStore = beside?.eventStore ?? new MemoryEventStore();
  if (!beside && settings.keyEncryptionKeys.length === 0) await giveSigningKey(documents, clock);
  const ids = new RandomIds();
  const rates = new RateLimiter(clock, { ...UNLIMITED, ...limits });
  let isOff = false;
  const flights = new MemoryDocuments(clock);
  const readModels = new ReadModels(eventStore, flights, [flightsProjection], clock, (_, error) => {
    throw error;
  });
  await readModels.start();
  const reachable = withCalls(documents, (_, call) =>
    isOff ? () => Promise.reject(new DocumentsUnavailable(UNREACHABLE)) : call,
  );
  const parts = [
    { provide: IdentitySettings, useValue: settings },
    { provide: OAuthSettings, useValue: settings },
    { provide: MandateSettings, useValue: { openMandates: 100 } },
    { provide: Documents, useValue: reachable },
    { provide: Aggregates, useValue: new Aggregates(eventStore, clock, ids) },
    { provide: ReadModelStore, useValue: flights },
    { provide: ReadModels, useValue: readModels },
    { provide: RemoteDocuments, useValue: new GuardedDocuments(clock, { network, allowsLoopback: false }) },
    { provide: Clock, useValue: clock },
    { provide: Ids, useValue: ids },
    { provide: RateLimiter, useValue: rates },
  ];

  @Global()
  @Module({ providers: parts, exports: parts })
  class Parts {}

  @Module({
    imports: [Parts, CqrsModule.forRoot(), SiteModule, OAuthModule, ...modules],
    controllers: [ProtectedController],
  })
  class App {}

  let logged = '';
  const logger = pino({ level: 'trace' }, { write: (line: string) => (logged += line) });
  const adapter = createHttpAdapter({
    addresses: settings.addresses,
    logger,
    rates,
    signatures,
    trustProxy: '127.0.0.1',
  });
  const app = await NestFactory.create<NestFastifyApplication>(App, adapter, {
    logger: ['error', 'warn'],
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalFilters(new ErrorFilter());
  await app.listen(0, '127.0.0.1');
  return {
    port: Number(new URL(await app.getUrl()).port),
    clock,
    documents,
    eventStore,
    cutOff: (isCutOff) => {
      isOff = isCutOff;
    },
    log: () => logged,
    close: async () => {
      await app.close();
      await readModels.stop();
    },
  };
};
