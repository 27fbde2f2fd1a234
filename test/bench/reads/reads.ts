import { setTimeout as sleep } from 'node:timers/promises';
import { writeCatalog } from '../../support/catalog.js';
import { book, buy } from '../../support/purchase.js';
import { BUYERS, openBuyers } from '../buyers.js';
import { aimed, ratioOf, side, spread } from '../numbers.js';
import { type Server, startServer, withEmptyFolder } from '../server.js';
import { openTable, type Row } from '../table.js';
import { withAutocannon } from './autocannon.js';
import { catalogue, numberOf, searches } from './catalogue.js';
import { type Load, type Loader, startLoader, type Target } from './loader.js';
import { startProgram } from './program.js';
import { built } from '../../support/built.js';

/** Rounds are short, so that what else the machine does falls on both; seconds of one, and of what is thrown away before. */
const [ROUNDS, ROUND, WARM_UP] = [5, { duration: 0.3 }, { duration: 1.5 }];
/** Flights on sale: as many as come with the service, and very many; and searches that are all different. */
const [FEW, MANY, SEARCHES] = [65, 10_000, 5_000];
const ORDERS_A_SECOND = 300;

const FLIGHT = `/api/v1/flights/${numberOf(0)}`;

/** What is asked for, and what share of bare Fastify is aimed at, if any is. */
interface Read {
  readonly what: string;
  readonly path: string;
  readonly target?: number;
  /** Whether whoever asks has the answer already. */
  readonly isKnown?: true;
}
const READS: readonly Read[] = [
  { what: 'GET /flights/{flightNumber}', path: FLIGHT, target: 0.5 },
  { what: 'GET /flights?q=recife', path: '/api/v1/flights?q=recife', target: 0.4 },
  { what: 'GET /flights/{flightNumber}/fares', path: `${FLIGHT}/fares?budget=100000` },
  { what: 'the flight, 304', path: FLIGHT, isKnown: true },
];

const COLUMNS = ['requests/s', 'bare Fastify', 'ratio', 'main thread, µs', 'bare Fastify, µs', 'ratio'];

const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

type Service = Server & Target;

const figures = (rounds: readonly Load[], of: keyof Load): readonly number[] => rounds.map((round) => round[of]);

const byTurns = async (one: () => Promise<Load>, other: () => Promise<Load>) => {
  const [ones, others]: [Load[], Load[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ones.push(await one());
    others.push(await other());
  }
  return [ones, others] as const;
};

/** A read of the service by turns with bare Fastify that sends the same bytes. */
const besideFastify = async (
  { load }: Loader,
  service: Target,
  { what, path, target, isKnown }: Read,
): Promise<Row> => {
  const answer = await fetch(service.origin + path);
  const [body, etag] = [await answer.text(), answer.headers.get('etag') ?? ''];
  const bare = await startProgram(built('test/bench/bare-fastify.main.js'), [etag], body);
  const ask = (of: Target, until = ROUND): Promise<Load> =>
    load(of, [path], until, isKnown && { 'if-none-match': etag });
  const peer = { origin: bare.said, pid: bare.pid };
  await ask(service, WARM_UP);
  await ask(peer, WARM_UP);
  const [ours, theirs] = await byTurns(
    () => ask(service),
    () => ask(peer),
  );
  await bare.stop();
  const ratio = ratioOf(figures(ours, 'perSecond'), figures(theirs, 'perSecond'));
  return [
    what,
    spread(figures(ours, 'perSecond')),
    spread(figures(theirs, 'perSecond')),
    target === undefined ? times(ratio) : aimed(ratio, target),
    spread(figures(ours, 'cpu'), 1),
    spread(figures(theirs, 'cpu'), 1),
    times(ratioOf(figures(theirs, 'cpu'), figures(ours, 'cpu'))),
  ];
};

/** Books and orders so often a second, on all flights in turn, while `work` runs; returns how often it was. */
const orderingMeanwhile = async ({ origin }: Server, work: () => Promise<unknown>): Promise<number> => {
  const { api, own } = await openBuyers(origin);
  const begun = performance.now();
  let isOver = false;
  let placed = 0;
  const places = Array.from({ length: 100 * ORDERS_A_SECOND }, (_, place) => place);
  const ordering = side(BUYERS, places, async (place) => {
    if (isOver) return;
    await sleep(begun + (place * 1_000) / ORDERS_A_SECOND - performance.now());
    await buy(api, await book(api, { flightNumber: numberOf(place % FEW), fareCode: 'LEVE' }), own(place));
    placed += 1;
  });
  await work();
  isOver = true;
  const perSecond = (placed / (performance.now() - begun)) * 1_000;
  await ordering;
  return perSecond;
};

/** Starts the service, or a process that follows, with so many flights and its log on. */
const serving = <Result>(
  count: number,
  work: (service: Service) => Promise<Result>,
  { program, terms }: { readonly program?: string; readonly terms?: object } = {},
): Promise<Result> =>
  withEmptyFolder(async (folder) => {
    await writeCatalog(folder, catalogue(count, terms));
    const service = await startServer(folder, { LOG_LEVEL: 'info' }, undefined, program);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  });

/** Starts the service with so many timetables of flights that leave every day. */
const servingDaily = <Result>(count: number, work: (service: Service) => Promise<Result>): Promise<Result> =>
  serving(count, work, { terms: { days: '1234567', timeZone: 'America/Sao_Paulo' } });

const rest = (loader: Loader): Promise<void> =>
  serving(FEW, async (service) => {
    const print = openTable(`Public reads at rest, log, traffic and ETag on, ${FEW} flights`, COLUMNS);
    for (const read of READS) print(await besideFastify(loader, service, read));
  });

const orders = (loader: Loader): Promise<void> =>
  serving(FEW, async (service) => {
    const print = openTable(`The same while ${ORDERS_A_SECOND} orders a second are placed`, COLUMNS);
    const perSecond = await orderingMeanwhile(service, async () => {
      // How near the peer comes says nothing here: the orders are the service's own.
      for (const { target: _, ...read } of READS) print(await besideFastify(loader, service, read));
    });
    console.log(
      `\n${perSecond.toFixed(0)} bookings and orders a second meanwhile; the peers shared the machine with them`,
    );
  });

const follower = (loader: Loader): Promise<void> =>
  serving(
    FEW,
    async (service) => {
      const print = openTable('The same of an API process that follows, at rest', COLUMNS);
      for (const read of READS.slice(0, 2)) print(await besideFastify(loader, service, read));
    },
    { program: 'test/bench/reads/follower.main.js' },
  );

/** A date so many days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** What is added to each search. */
const DAYS = {
  'no day': '',
  'a day': `&date=${inDays(14)}`,
  '31 days by price': `&dateFrom=${inDays(14)}&dateTo=${inDays(44)}&sort=price`,
} as const;

const many = ({ load }: Loader): Promise<void> =>
  servingDaily(FEW, (few) =>
    servingDaily(MANY, async (very) => {
      const columns = [
        `${FEW} timetables, requests/s`,
        `${MANY} timetables`,
        'ratio',
        'main thread, µs',
        'of the many, µs',
        'ratio',
      ];
      const print = openTable(`${SEARCHES} searches that are all different, at most ten flights each`, columns);
      for (const [days, added] of Object.entries(DAYS)) {
        const asked = searches(SEARCHES).map((path) => path + added);
        for (const target of [few, very]) await load(target, asked, { amount: 2 * SEARCHES });
        const [ofFew, ofMany] = await byTurns(
          () => load(few, asked, ROUND),
          () => load(very, asked, ROUND),
        );
        print([
          `GET /flights?q=…&from=…&limit=…, ${days}`,
          spread(figures(ofFew, 'perSecond')),
          spread(figures(ofMany, 'perSecond')),
          aimed(ratioOf(figures(ofMany, 'perSecond'), figures(ofFew, 'perSecond')), 0.6),
          spread(figures(ofFew, 'cpu'), 1),
          spread(figures(ofMany, 'cpu'), 1),
          times(ratioOf(figures(ofFew, 'cpu'), figures(ofMany, 'cpu'))),
        ]);
      }
    }),
  );

const PARTS = { rest, orders, follower, many } as const;
const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name);

/** Public reads: at rest, under orders, of a process that follows, and with many flights and searches; `only` one of these. */
export const reads = (only = ''): Promise<void> =>
  withAutocannon(async (folder) => {
    const loader = await startLoader(folder);
    for (const part of isPart(only) ? [PARTS[only]] : Object.values(PARTS)) await part(loader);
    await loader.stop();
  });
