import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedEventStore } from '#event-store';
import type { Booking } from '../support/answers.js';
import { book, buy } from '../support/purchase.js';
import { appends, IN_FLIGHT, through } from './appends.js';
import { BUYERS, type Buyers, openBuyers } from './buyers.js';
import { tripOf } from './flights.js';
import { median, perSecond, side, timed } from './numbers.js';
import { type Batches, type Load, type ServiceTimes, simulate } from './queueing.js';
import { startServer, withEmptyFolder, withFolder } from './server.js';
import { printTable, type Row } from './table.js';
import { built } from '../support/built.js';

const ROUNDS = 3;
/** Simulations until it is settled how many batches an order of many agents takes part in. */
const PASSES = 5;
const WARM_UP = 2_400;
/** Commits that tell how long a wait for the disk is. */
const COMMITS = 300;
/** From here on a flight of the bench is booked by nobody but the rounds on one flight, which may take all its seats. */
const HOT_FLIGHTS = 90;

/** What is run and simulated: agents at once, and whether they meet in one flight and in one mandate. */
interface Case {
  readonly what: string;
  readonly agents: number;
  readonly orders: number;
  readonly isFlightHot?: boolean;
  readonly isMandateHot?: boolean;
}

const ALONE_CASE: Case = { what: '1 agent', agents: 1, orders: 100 };
const OWN_CASE: Case = { what: `${BUYERS} agents, a mandate each, many flights`, agents: BUYERS, orders: 280 };
const CASES: readonly Case[] = [
  ALONE_CASE,
  { what: '8 agents, a mandate each, many flights', agents: 8, orders: 280 },
  OWN_CASE,
  { ...OWN_CASE, what: `${BUYERS} agents on one mandate`, isMandateHot: true },
  { ...OWN_CASE, what: `${BUYERS} agents on one flight`, isFlightHot: true },
  { ...OWN_CASE, what: `${BUYERS} agents on one mandate and one flight`, isMandateHot: true, isFlightHot: true },
];

interface Ran {
  readonly perSecond: number;
  readonly median: number;
  /** Cores that this machine's other work left to the service and to who asks. */
  readonly cores: number;
  /** ms of a core for an order, by the name of the thread: `main`, the files, `V8` and `client`. */
  readonly cpu: ReadonlyMap<string, number>;
}

/** ms of a core that each thread of the service, and this process, have had. */
const cpuTimes = (pid: number, folder: string): ReadonlyMap<string, number> => {
  const names = new Map(readdirSync(folder).map((name) => [readFileSync(join(folder, name), 'utf8'), name]));
  const spent = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    const name = names.get(thread) ?? 'V8';
    spent.set(name, (spent.get(name) ?? 0) + Number(ns) / 1e6);
  }
  const { user, system } = process.cpuUsage();
  return spent.set('client', (user + system) / 1_000);
};

/** ms that all cores together have had nothing to do. */
const idleTime = (): number => cpus().reduce((all, { times }) => all + times.idle, 0);

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);

/** How long (ms) a commit waits for the disk, with one event and with each further one, without the cores' time. */
const diskWaits = (): Promise<Pick<ServiceTimes, 'wait' | 'longer'>> =>
  withEmptyFolder(async (folder) => {
    const log = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
    const append = through(log);
    const waited = async (commits: number, atOnce: number): Promise<number> => {
      const spent = process.cpuUsage();
      const all = await timed(async () => {
        for (let commit = 0; commit < commits; commit += 1) await appends(atOnce, append);
      });
      const { user, system } = process.cpuUsage(spent);
      return Math.max(0, all - (user + system) / 1_000) / commits;
    };
    await waited(COMMITS, IN_FLIGHT); // warm
    const [many, wait] = [await waited(COMMITS, IN_FLIGHT), await waited(COMMITS, 1)];
    await log.close();
    return { wait, longer: Math.max(0, (many - wait) / (IN_FLIGHT - 1)) };
  });

/** In how many batches an order takes part that goes alone, and one of many agents. */
interface BothBatches {
  readonly single: Batches;
  readonly together: Batches;
}

/** Service times from the runs of one agent and of many that share nothing; an order alone pays its own batches. */
const serviceTimes = (
  alone: readonly Ran[],
  many: readonly Ran[],
  { single, together }: BothBatches,
  waits: Pick<ServiceTimes, 'wait' | 'longer'>,
): Omit<ServiceTimes, 'cores'> => {
  const cpu = (runs: readonly Ran[], name: string) => median(runs.map((run) => run.cpu.get(name) ?? 0));
  const perBatch = (name: string, one: number, other: number) =>
    Math.max(0, (cpu(alone, name) - cpu(many, name)) / (one - other));
  const messages = together.log + together.documents;
  const message = perBatch('main', single.log + single.documents, messages);
  const transaction = perBatch('events.db', single.log, together.log);
  const batch = perBatch('read-models.db', single.projections, together.projections);
  const rest = (name: string, batches: number) => Math.max(0, cpu(many, name) - batches);
  return {
    main: rest('main', message * messages),
    message,
    log: rest('events.db', transaction * together.log),
    documents: rest('documents.db', transaction * together.documents),
    transaction,
    projections: rest('read-models.db', batch * together.projections),
    batch,
    garbage: cpu(many, 'V8'),
    client: cpu(many, 'client'),
    ...waits,
  };
};

const medianOf = (runs: readonly Ran[], what: 'perSecond' | 'median' | 'cores') => median(runs.map((run) => run[what]));

const beside = (run: number, simulated: number, digits: number): readonly string[] => [
  run.toFixed(digits),
  simulated.toFixed(digits),
  `${simulated >= run ? '+' : ''}${((simulated / run - 1) * 100).toFixed(0)} %`,
];

const simulated = async (times: ServiceTimes, { agents, orders, isFlightHot, isMandateHot }: Case) => {
  const flight: Load['flight'] = (place) => (isFlightHot ? 0 : place % HOT_FLIGHTS);
  const mandate: Load['mandate'] = (place) => (isMandateHot ? 0 : place % BUYERS);
  const { all, each, batches } = await simulate(times, { agents, orders, flight, mandate, seed: 1 });
  return { perSecond: perSecond(orders, all), median: median(each), batches };
};

/** Agents that meet in a flight and in a mandate: a run beside a simulation of its queues. */
export const queues = (): Promise<void> =>
  withFolder((folder) =>
    withEmptyFolder(async (threads) => {
      const waits = await diskWaits();
      const NODE_OPTIONS = `--import ${built('test/bench/threads.main.js')}`;
      const server = await startServer(folder, { NODE_OPTIONS, THREADS: threads });
      const buyers = await openBuyers(server.origin);
      let [orders, hotFlights] = [0, 0];

      const run = async ({ agents, orders: count, isFlightHot, isMandateHot }: Case): Promise<Ran> => {
        const hot = tripOf(HOT_FLIGHTS + (hotFlights % (100 - HOT_FLIGHTS)));
        if (isFlightHot) hotFlights += 1;
        const trips = Array.from({ length: count }, () => (isFlightHot ? hot : tripOf(orders++ % HOT_FLIGHTS)));
        const bookings: Booking[] = [];
        await side(BUYERS, trips, async (trip) => bookings.push(await book(buyers.api, trip)));
        await sleep(300); // until read models are up to date
        const [before, idle] = [cpuTimes(server.pid, threads), idleTime()];
        const { times, all } = await ordered(buyers, bookings, agents, isMandateHot);
        const cpu = [...cpuTimes(server.pid, threads)].map(
          ([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count] as const,
        );
        const cores = (idleTime() - idle + count * sum(cpu.map(([, ms]) => ms))) / all;
        return { perSecond: perSecond(count, all), median: median(times), cores, cpu: new Map(cpu) };
      };

      await run({ ...OWN_CASE, orders: WARM_UP });
      await run({ ...ALONE_CASE, orders: 50 });
      const ran = new Map(CASES.map((one): [Case, Ran[]] => [one, []]));
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [one, runs] of ran) runs.push(await run(one));
      }
      await server.stop();

      const [alone, many] = [ran.get(ALONE_CASE) ?? [], ran.get(OWN_CASE) ?? []];
      const none: Batches = { log: 0, documents: 0, projections: 0 };
      let times = serviceTimes(
        alone,
        many,
        { single: { log: 4, documents: 1, projections: 4 }, together: none },
        waits,
      );
      for (let pass = 0; pass < PASSES; pass += 1) {
        const { batches: single } = await simulated({ ...times, cores: medianOf(alone, 'cores') }, ALONE_CASE);
        const { batches: together } = await simulated({ ...times, cores: medianOf(many, 'cores') }, OWN_CASE);
        times = serviceTimes(alone, many, { single, together }, waits);
      }
      printTimes(times);
      const rows: Row[] = [];
      for (const [one, runs] of ran) {
        const cores = Math.min(cpus().length, medianOf(runs, 'cores'));
        const { perSecond: often, median: long } = await simulated({ ...times, cores }, one);
        const figures = [
          ...beside(medianOf(runs, 'perSecond'), often, 0),
          ...beside(medianOf(runs, 'median'), long, 1),
        ];
        rows.push([one.what, cores.toFixed(2), ...figures]);
      }
      printTable(`Orders in a run (median of ${ROUNDS} rounds) and in a simulation of its queues`, rows, [
        'cores left',
        'orders/s',
        'simulated',
        'off by',
        'median ms',
        'simulated',
        'off by',
      ]);
    }),
  );

/** Orders bookings, so many agents at once; answers the ms of each and of all. */
const ordered = async (
  { api, own, one }: Buyers,
  bookings: readonly Booking[],
  agents: number,
  isMandateHot = false,
): Promise<{ readonly times: readonly number[]; readonly all: number }> => {
  const times: number[] = [];
  const all = await timed(() =>
    side(agents, [...bookings.entries()], async ([place, booking]) => {
      times.push(await timed(() => buy(api, booking, isMandateHot ? one() : own(place))));
    }),
  );
  return { times, all };
};

const printTimes = (times: Omit<ServiceTimes, 'cores'>): void => {
  const shown: readonly (readonly [keyof typeof times, string])[] = [
    ['main', 'main thread, an order'],
    ['message', 'main thread, a batch for a writing thread'],
    ['log', 'log’s writing thread, an order'],
    ['transaction', 'a writing thread, a transaction'],
    ['documents', 'documents’ writing thread, an order'],
    ['projections', 'projections, an order'],
    ['batch', 'projections, a batch'],
    ['garbage', 'V8’s own threads, an order'],
    ['client', 'the process that asks, an order'],
    ['wait', 'a wait for the disk, of one event, no core'],
    ['longer', 'the same, each further event'],
  ];
  const rows = shown.map(([name, what]): Row => [what, times[name].toFixed(3)]);
  printTable('Service times: ms of a core', rows);
};
