import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#config';
import type { GuardedDocument, ReadModelStore } from '#documents';
import { EmbeddedEventStore, type EventStore, type StoredEvent } from '#event-store';
import { categoryOf } from '#events';
import { overriding, plus, SystemClock } from '#kernel';
import { type Projection, recorded } from '#read-models';
import { until } from '#testing';
import { createLogger, openPorts, type Ports, PROJECTIONS } from '#runtime';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import type { Api, Tokens } from '#agent';
import { flights, tripOf } from '../bench/flights.js';
import { fillLog } from '../bench/long-log.events.js';
import { apiAt, tokensFor } from '../support/agent.js';
import type { Order, Refused } from '../support/answers.js';
import { writeCatalog } from '../support/catalog.js';
import { book, buy, GOOD_CARD, grant } from '../support/purchase.js';
import { startProcess } from '../support/real-process.js';
import { LATER, ownFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('with servers other processes build what is listed');

/** More than a start waits for. */
const EVENTS = 6_000;

const folder = ownFolder();
let environment: Readonly<Record<string, string>>;
let tokens: Tokens;
let placed: Order;
/** What shows one thing, and is folded from its stream: of the flight of the paid order, and of what its buyer made. */
let byId: readonly string[];
/** A log of six thousand events that ends amid purchases, of which one by Ana was paid. */
beforeAll(async () => {
  // The orders of such a log were charged by nobody.
  environment = { CATALOG_FILE: await writeCatalog(folder, flights()), ALLOW_MIXED_DATA: 'on' };
  const service = await startService(folder, environment);
  tokens = await tokensFor(service.origin);
  const ana = apiAt(service.origin, tokens.access_token);
  const [booking, mandate] = [await book(ana, tripOf(1)), await grant(ana, 1_000_00)];
  placed = await buy(ana, booking, mandate);
  const tooDear = {
    bookingId: (await book(ana, tripOf(1))).id,
    mandateId: (await grant(ana, 100)).id,
    payment: GOOD_CARD,
  };
  expect(await ana.post('/orders', tooDear)).toMatchObject({ status: 422 });
  const { flightNumber } = tripOf(1);
  byId = [
    `/flights/${flightNumber}`,
    `/flights/${flightNumber}/fares?budget=100000`,
    `/bookings/${booking.id}`,
    `/mandates/${mandate.id}`,
    `/mandates/${mandate.id}/events`,
    `/orders/${placed.id}`,
    `/orders/${placed.id}/receipt`,
  ];
  await service.stop();
  const events = await EmbeddedEventStore.open({ file: join(folder, 'events.db'), appendTimeout: 60_000 });
  await fillLog(events, EVENTS, plus(new SystemClock().now(), -120_000));
  await events.close();
});

const loseReadModels = async (): Promise<void> => {
  for (const part of ['', '-wal', '-shm']) await rm(join(folder, `read-models.db${part}`), { force: true });
};

const startHeld = async (): Promise<{ readonly service: RunningApi; readonly goOn: () => void }> => {
  const config = readConfig({ PORT: '0', PASSWORD_COST: '10', ...LATER, DATA_DIR: folder, ...environment });
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const open = async (): Promise<Ports> => {
    const ports = await openPorts(config);
    return { ...ports, projecting: null, readModelStore: heldBack(ports.readModelStore, held) };
  };
  return { service: await startApi(config, createLogger('silent'), open), goOn };
};

const heldBack = (store: ReadModelStore, held: Promise<void>): ReadModelStore =>
  overriding(store, { putGuarded: (...args) => held.then(() => store.putGuarded(...args)) });

it('answers all but what is listed while that is being built, and finishes then what was left open', async () => {
  await loseReadModels();
  const { service, goOn } = await startHeld();
  const { events, readModels } = service.dependencies;
  const ana = apiAt(service.origin, tokens.access_token);
  const lists = ['/bookings', '/mandates', '/orders', '/flights?q=belo', '/observability/agent-traffic'];
  const abandonedBefore = await abandoned(events);

  expect(await ana.get('/health')).toMatchObject({ status: 200 });
  expect(await ana.get('/health/ready')).toMatchObject({ status: 200 });
  for (const path of lists) {
    const { status, body, headers } = await ana.get<Refused>(path);
    expect([path, status, body.error, headers.get('retry-after')]).toEqual([path, 503, 'service_unavailable', '5']);
  }
  expect((await fetch(`${service.origin}/`)).status).toBe(503);
  for (const path of byId) expect([path, (await ana.get(path)).status]).toEqual([path, 200]);
  expect(await ana.get(`/orders/${placed.id}`)).toMatchObject({ body: { status: 'paid' } });
  expect(await ana.get('/flights/XX1')).toMatchObject({ status: 404, body: { error: 'flight_not_found' } });
  const mandate = await grant(ana, 1_000_00);
  const bought = await buy(ana, await book(ana, tripOf(2)), mandate);
  expect(await abandoned(events)).toBe(abandonedBefore);

  goOn();
  const head = await events.head();
  await readModels.caughtUp(head?.position ?? '');
  for (const path of lists) expect([path, (await ana.get(path)).status]).toEqual([path, 200]);
  expect(await ana.get(`/orders/${bought.id}`)).toMatchObject({ status: 200 });
  expect(await ana.get('/orders')).toMatchObject({ body: { count: 2 } });
  await until(async () => (await abandoned(events)) > abandonedBefore);
  await service.stop();
});

it('is built by the next start to what a fold event by event gives, should it be killed on the way', async () => {
  await loseReadModels();
  const killed = await startProcess(folder, { LOG_LEVEL: 'silent', ...LATER, ...environment });
  await killed.end('SIGKILL');
  // Traffic would go on being written down while the log is read.
  const service = await startService(folder, { ...environment, AGENT_TRAFFIC: 'off' });
  const { events, readModels, readModelStore } = service.dependencies;
  const api: Api = apiAt(service.origin, tokens.access_token);
  await until(async () => (await api.get('/orders')).status !== 503);
  await service.dependencies.readModels.caughtUp((await events.head())?.position ?? '');
  const log: StoredEvent[] = [];
  for await (const stored of events.readAll(null)) log.push(stored);
  for (const projection of PROJECTIONS) {
    const expected = folded(projection, log);
    const found = await readModelStore.getGuarded(readModels.collectionOf(projection), [...expected.keys()]);
    expect(found.length).toBeGreaterThan(0);
    expect(new Map(found.map((document) => [document.id, document]))).toEqual(expected);
  }
  await service.stop();
});

/** The documents of a projection, tombstones included, folded one event after the other. */
const folded = (projection: Projection<object>, log: readonly StoredEvent[]): ReadonlyMap<string, GuardedDocument> => {
  const documents = new Map<string, GuardedDocument>();
  for (const stored of log) {
    if (!projection.from.some(({ category }) => category === categoryOf(stored.stream))) continue;
    const event = recorded(projection, stored);
    for (const id of projection.documentsOf(event)) {
      const body = projection.evolve(documents.get(id)?.body ?? null, event, id);
      documents.set(id, { id, body, position: stored.position });
    }
  }
  return documents;
};

const abandoned = async (events: EventStore): Promise<number> => {
  let count = 0;
  for await (const { type } of events.readAll(null)) if (type === 'BookingCheckoutAbandoned') count += 1;
  return count;
};
