import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { catalogEntry, writeCatalog } from '../support/catalog.js';
import { book, buy } from '../support/purchase.js';
import { BUYERS, openBuyers } from './buyers.js';
import { aimed, ratioOf, side, spread } from './numbers.js';
import { ended, type Server, startServer, withEmptyFolder } from './server.js';
import { printTable, type Row } from './table.js';

const LOADER = 'autocannon@9.0.0';
const [CONNECTIONS, SECONDS, ROUNDS] = [50, 3, 5];
/** Flights on sale: as many as come with the service, and very many; and queries that are all different. */
const [FEW, MANY, QUERIES] = [65, 10_000, 5_000];
const ORDERS_A_SECOND = 300;
const SEATS = 10_000;
const run = promisify(execFile);

/** Cities that flights leave from and go to, the airport of each its first three letters. */
const CITIES = [
  'Recife',
  'Manaus',
  'Natal',
  'Curitiba',
  'Brasília',
  'Fortaleza',
  'Salvador',
  'Goiânia',
  'Vitória',
  'Belém',
];
const codeOf = (city = ''): string => city.normalize('NFD').replace(/\p{M}/gu, '').slice(0, 3).toUpperCase();
const two = (value: number): string => String(value).padStart(2, '0');

const numberOf = (place: number): string => `${place < 5_000 ? 'AL' : 'BL'}${1_000 + (place % 5_000)}`;

const catalogue = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, place) => {
    const [from, to] = [place % 10, (place + 1 + (Math.floor(place / 10) % 9)) % 10];
    return catalogEntry({
      flightNumber: numberOf(place),
      slug: `voo-${place}`,
      from: codeOf(CITIES[from]),
      to: codeOf(CITIES[to]),
      toCity: CITIES[to],
      departureTime: `${two(place % 24)}:${two(place % 60)}`,
      seats: SEATS,
    });
  });

/** Searches that are all different, each for at most ten flights. */
const queries = Array.from({ length: 10 * 6 * 10 * 10 }, (_, place) => {
  const [to = '', from = ''] = [CITIES[place % 10], CITIES[Math.floor(place / 10) % 10]];
  const spelled = to.slice(0, 3 + (Math.floor(place / 100) % 3));
  const q = Math.floor(place / 300) % 2 === 0 ? spelled : spelled.toLowerCase();
  const limit = 1 + (Math.floor(place / 600) % 10);
  return `/api/v1/flights?q=${encodeURIComponent(q)}&from=${codeOf(from)}&limit=${limit}`;
}).slice(0, QUERIES);

/** A peer that sends these bytes to everybody. */
const startPeer = async (program: string, body: string): Promise<Server> => {
  const server = spawn(process.execPath, [resolve(`dist/test/bench/${program}.main.js`)]);
  server.stdin.end(body);
  const [origin] = (await once(server.stdout, 'data')) as [Buffer];
  return { origin: String(origin).trim(), stop: () => ended(server) };
};

/** Requests answered a second, by the load generator in a process of its own; `paths`: asked for in turn. */
const loaderIn = async (folder: string) => {
  await run('npm', ['install', '--no-save', '--silent', '--prefix', folder, LOADER]);
  return async (origin: string, paths: readonly string[]): Promise<number> => {
    const har = join(folder, 'requests.har');
    const entries = paths.map((path) => ({ request: { method: 'GET', url: origin + path, headers: [] } }));
    await writeFile(har, JSON.stringify({ log: { entries } }));
    const { stdout } = await run(process.execPath, [
      join(folder, 'node_modules/autocannon/autocannon.js'),
      ...['--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(SECONDS), '--har', har, origin],
    ]);
    const { requests, non2xx } = JSON.parse(stdout) as { requests: { average: number }; non2xx: number };
    if (non2xx > 0) throw new Error(`${non2xx} answers were not 200 at ${origin}`);
    return requests.average;
  };
};
type Load = Awaited<ReturnType<typeof loaderIn>>;

/** Runs `work` while so many orders a second are placed on all flights in turn; answers how many there were a second. */
const orderingMeanwhile = async (
  { origin }: Server,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<number> => {
  const { api, own } = await openBuyers(origin);
  const places = Array.from({ length: ORDERS_A_SECOND * seconds }, (_, place) => place);
  const bookings: Awaited<ReturnType<typeof book>>[] = [];
  await side(BUYERS, places, async (place) => {
    bookings.push(await book(api, { flightNumber: numberOf(place % FEW), fareCode: 'LEVE' }));
  });
  const begun = performance.now();
  let isOver = false;
  let placed = 0;
  const ordering = side(BUYERS, [...bookings.entries()], async ([place, booking]) => {
    if (isOver) return;
    await sleep(begun + (place * 1_000) / ORDERS_A_SECOND - performance.now());
    await buy(api, booking, own(place));
    placed += 1;
  });
  await work();
  const took = (performance.now() - begun) / 1_000;
  const count = placed;
  isOver = true;
  await ordering;
  return count / took;
};

/** The service by turns with bare Fastify and with Nest on Fastify that send the same bytes. */
const besidePeers = async (load: Load, service: Server, path: string, target: number): Promise<Row> => {
  const body = await (await fetch(service.origin + path)).text();
  const [fastify, nest] = [await startPeer('bare-fastify', body), await startPeer('bare-nest', body)];
  const [ours, theirs, nests]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await load(service.origin, [path]));
    theirs.push(await load(fastify.origin, [path]));
    nests.push(await load(nest.origin, [path]));
  }
  await Promise.all([fastify.stop(), nest.stop()]);
  const ratio = aimed(ratioOf(ours, theirs), target);
  return [path.replace(/AL\d+/, '{flightNumber}'), spread(ours), spread(theirs), spread(nests), ratio];
};

/** Public reads: at rest, under orders, and with many flights and queries that are all different. */
export const reads = (): Promise<void> =>
  withEmptyFolder(async (loader) => {
    const load = await loaderIn(loader);
    const serving = <Result>(count: number, work: (service: Server) => Promise<Result>): Promise<Result> =>
      withEmptyFolder(async (folder) => {
        await writeCatalog(folder, catalogue(count));
        const service = await startServer(folder, { LOG_LEVEL: 'info' });
        try {
          return await work(service);
        } finally {
          await service.stop();
        }
      });
    const columns = ['requests/s', 'bare Fastify', 'Nest on Fastify', 'of bare Fastify'];
    await serving(FEW, async (service) => {
      const one = `/api/v1/flights/${numberOf(0)}`;
      const search = '/api/v1/flights?q=recife';
      const asked = [
        [one, 0.5],
        [search, 0.4],
        [`${one}/fares?budget=100000`, 0.4],
      ] as const;
      const rows: Row[] = [];
      for (const [path, target] of asked) rows.push(await besidePeers(load, service, path, target));
      printTable(`Public reads at rest, ${CONNECTIONS} connections, log and traffic on, ${FEW} flights`, rows, columns);
      const busy: Row[] = [];
      for (const [path, target] of asked.slice(0, 2)) {
        // The loader runs three times in a round, and takes a second to start.
        const orders = await orderingMeanwhile(service, ROUNDS * 3 * (SECONDS + 1), async () =>
          busy.push(await besidePeers(load, service, path, target)),
        );
        console.log(`${orders.toFixed(0)} orders/s meanwhile`);
      }
      printTable('The same while orders are placed; the peers share the machine with them too', busy, columns);
    });
    await serving(FEW, (few) =>
      serving(MANY, async (many) => {
        const [ofFew, ofMany]: [number[], number[]] = [[], []];
        for (let round = -1; round < ROUNDS; round += 1) {
          const figures = [await load(few.origin, queries), await load(many.origin, queries)] as const;
          if (round < 0) continue; // each query is asked for the first time
          ofFew.push(figures[0]);
          ofMany.push(figures[1]);
        }
        const ratio = aimed(ratioOf(ofMany, ofFew), 0.6);
        printTable(
          `${QUERIES} searches that are all different, ten flights each at most`,
          [[`${MANY} flights`, spread(ofFew), spread(ofMany), ratio]],
          [`${FEW} flights, requests/s`, `${MANY} flights`, 'of the former'],
        );
      }),
    );
  });
