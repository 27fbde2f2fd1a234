import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedEventStore } from '#event-store';
import { plus, SystemClock } from '#kernel';
import type { Api } from '#agent';
import { apiAt, tokensFor } from '../support/agent.js';
import { catalogEntry, writeCatalog } from '../support/catalog.js';
import { bodyOf, book, buy, grant } from '../support/purchase.js';
import { flights, tripOf } from './flights.js';
import { fillLog } from './long-log.events.js';
import { median, perSecond, quantile, ratioOf, spread } from './numbers.js';
import { startServer, withEmptyFolder } from './server.js';
import { printTable } from './table.js';

/** How many events where nothing else is said, which takes a minute or two; a million takes some five. */
const EVENTS = 300_000;
const STARTS = 5;
/** How long (ms) a start is left alone before its memory counts as that at rest, and how often it is asked for anything. */
const [RESTING, ASKED_EVERY] = [10_000, 20];
const LISTS = ['/bookings', '/mandates', '/orders', '/flights?q=belo', '/observability/agent-traffic'];

/** The orders of such a log were charged by nobody: no ledger has them. */
const MIXED = { ALLOW_MIXED_DATA: 'on' };

/** A trip on a flight that nobody in the log has bought. */
const TRIP = { flightNumber: 'AL2000', fareCode: 'LEVE' };

/** A data folder, an agent with a token of its service, and an order of that agent. */
interface Place {
  readonly folder: string;
  readonly token: string;
  readonly orderId: string;
}

/** Memory (MB) of a process: now, and the most it ever had. Linux alone tells. */
const memoryOf = async (pid: number): Promise<{ readonly now: number; readonly most: number }> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
};

const purchase = async (api: Api) => buy(api, await book(api, TRIP), await grant(api, 1_000_00));

/** The first start in a folder, which imports the catalogue. */
const settled = async (folder: string): Promise<Place> => {
  await writeCatalog(folder, [...flights(), catalogEntry({ flightNumber: TRIP.flightNumber, slug: 'voo-longo' })]);
  const server = await startServer(folder, MIXED);
  const { access_token: token } = await tokensFor(server.origin);
  const { id: orderId } = await purchase(apiAt(server.origin, token));
  await server.stop();
  return { folder, token, orderId };
};

/** What a start takes: until it is ready and until its first purchase is paid (ms), and memory (MB) at rest, where looked at. */
interface Start {
  readonly ready: number;
  readonly bought: number;
  readonly memory: number;
}

const started = async ({ folder, token }: Place, rests: boolean): Promise<Start> => {
  const began = performance.now();
  const server = await startServer(folder, MIXED);
  const api = apiAt(server.origin, token);
  await bodyOf(await api.get('/health/ready'), 200);
  const ready = performance.now() - began;
  await purchase(api);
  const bought = performance.now() - began;
  if (rests) await sleep(RESTING);
  const { now: memory } = await memoryOf(server.pid);
  await server.stop();
  return { ready, bought, memory };
};

/** Starts of several services by turns; the memory is that of the last of each. */
const startsOf = async (places: readonly Place[]): Promise<readonly Start[][]> => {
  const starts = places.map((): Start[] => []);
  for (let round = 1; round <= STARTS; round += 1) {
    const inTurn = [...places.entries()];
    for (const [index, place] of round % 2 === 0 ? inTurn : inTurn.reverse())
      starts[index]?.push(await started(place, round === STARTS));
  }
  return starts;
};

/** Builds the read models from empty, asking all the while for what is answered meanwhile. */
const built = async ({ folder, token, orderId }: Place) => {
  for (const part of ['', '-wal', '-shm']) await rm(join(folder, `read-models.db${part}`), { force: true });
  const began = performance.now();
  const since = () => performance.now() - began;
  const server = await startServer(folder, MIXED);
  const api: Api = apiAt(server.origin, token);
  const listens = since();
  const times: { health: number[]; order: number[]; flight: number[] } = { health: [], order: [], flight: [] };
  const timed = async (path: string): Promise<number> => {
    const sent = performance.now();
    const { status } = await api.get(path);
    if (status !== 200) throw new Error(`${path} was answered ${status} while read models are built`);
    return performance.now() - sent;
  };
  const areListed = async () =>
    (await Promise.all(LISTS.map((path) => api.get(path)))).every(({ status }) => status === 200);
  do {
    times.health.push(await timed('/health'));
    times.order.push(await timed(`/orders/${orderId}`));
    times.flight.push(await timed(`/flights/${tripOf(times.flight.length).flightNumber}`));
    await sleep(ASKED_EVERY);
  } while (!(await areListed()));
  const took = since() - listens;
  const { most } = await memoryOf(server.pid);
  await sleep(RESTING); // recovery settles what the log leaves open, which no start is to be charged with
  await server.stop();
  return { listens, took, most, times };
};

const figure = (values: readonly number[]): string =>
  `median ${median(values).toFixed(1)} ms, 99 % ${quantile(values, 0.99).toFixed(0)} ms`;

const seconds = (values: readonly number[]): string =>
  `${spread(
    values.map((value) => value / 1_000),
    2,
  )} s`;

/** What a log of 300,000 events costs: read models built from empty, and starts with and without them. */
export const longLog = (count = String(EVENTS)): Promise<void> =>
  withEmptyFolder((empty) =>
    withEmptyFolder(async (long) => {
      const places = [await settled(empty), await settled(long)] as const;
      const events = await EmbeddedEventStore.open({ file: join(long, 'events.db'), appendTimeout: 60_000 });
      await fillLog(events, Number(count), plus(new SystemClock().now(), -3_600_000), 'the end');
      await events.close();
      const { listens, took, most, times } = await built(places[1]);
      const [without = [], withThem = []] = await startsOf(places);
      const figures = (of: (start: Start) => number) => [withThem.map(of), without.map(of)] as const;
      const timesOf = (of: (start: Start) => number): readonly [string, string, string] => {
        const [full, none] = figures(of);
        return [seconds(full), seconds(none), `${ratioOf(full, none).toFixed(2)} ×`];
      };
      const [full = NaN, none = NaN] = figures(({ memory }) => memory).map((values) => values.at(-1));
      printTable(`Read models from empty, ${count} events`, [
        ['all of them', `${perSecond(Number(count), took).toFixed(0)} events/s, ${(took / 1_000).toFixed(1)} s`],
        ['it listens after', `${(listens / 1_000).toFixed(2)} s`],
        ['GET /health meanwhile', figure(times.health)],
        ['GET /orders/{id} meanwhile', figure(times.order)],
        ['GET /flights/{flightNumber} meanwhile', figure(times.flight)],
        ['memory meanwhile, at most', `${most.toFixed(0)} MB`],
      ]);
      printTable(
        `Starts, ${count} events`,
        [
          ['until /health/ready', ...timesOf(({ ready }) => ready)],
          ['until the first order is paid', ...timesOf(({ bought }) => bought)],
          ['memory at rest', `${full.toFixed(0)} MB`, `${none.toFixed(0)} MB`, `${(full / none).toFixed(2)} ×`],
        ],
        ['with a long log', 'without', 'ratio'],
      );
    }),
  );
