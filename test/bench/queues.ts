import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../support/built.js';
import type { Booking } from '../support/answers.js';
import { book } from '../support/purchase.js';
import { BUYERS, openBuyers } from './buyers.js';
import { tripOf } from './flights.js';
import { median, side, spread } from './numbers.js';
import { startServer, withEmptyFolder, withFolder } from './server.js';
import { printTable, type Row } from './table.js';

const ROUNDS = 3;
const WARM_UP = 2_400;
/** From here on a flight of the bench is booked by nobody but the rounds on one flight, which may take all its seats. */
const HOT_FLIGHTS = 90;

/** What is run: agents at once, and whether they meet in one flight and in one mandate. */
interface Case {
  readonly what: string;
  readonly agents: number;
  readonly orders: number;
  readonly isFlightHot?: boolean;
  readonly isMandateHot?: boolean;
}

const ALONE: Case = { what: '1 agent', agents: 1, orders: 100 };
const OWN: Case = { what: `${BUYERS} agents, a mandate each, many flights`, agents: BUYERS, orders: 280 };
const CASES: readonly Case[] = [
  ALONE,
  { ...OWN, what: '8 agents, a mandate each, many flights', agents: 8 },
  OWN,
  { ...OWN, what: `${BUYERS} agents on one mandate`, isMandateHot: true },
  { ...OWN, what: `${BUYERS} agents on one flight`, isFlightHot: true },
  { ...OWN, what: `${BUYERS} agents on one mandate and one flight`, isMandateHot: true, isFlightHot: true },
];

interface Ran {
  readonly perSecond: number;
  readonly median: number;
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

/** Agents that meet in a flight and in a mandate, and what an order takes of each thread. */
export const queues = (): Promise<void> =>
  withFolder((folder) =>
    withEmptyFolder(async (threads) => {
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
        const before = cpuTimes(server.pid, threads);
        const { perSecond, times } = await buyers.order(bookings, isMandateHot ? buyers.one : buyers.own, agents);
        const cpu = [...cpuTimes(server.pid, threads)].map(
          ([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count] as const,
        );
        return { perSecond, median: median(times), cpu: new Map(cpu) };
      };

      await run({ ...OWN, orders: WARM_UP });
      await run({ ...ALONE, orders: 50 });
      const ran = new Map(CASES.map((one): [Case, Ran[]] => [one, []]));
      for (let round = 0; round < ROUNDS; round += 1) for (const [one, runs] of ran) runs.push(await run(one));
      await server.stop();

      const many = ran.get(OWN) ?? [];
      const names = [...(many[0]?.cpu.keys() ?? [])];
      const ofThread = (name: string) => median(many.map(({ cpu }) => cpu.get(name) ?? NaN));
      printTable(`${OWN.what}: ms of a core an order, by thread`, [
        ...names.map((name): Row => [name, ofThread(name).toFixed(3)]),
        ['all', names.reduce((sum, name) => sum + ofThread(name), 0).toFixed(3)],
      ]);
      printTable(
        `Agents that meet, ${ROUNDS} rounds by turns: median (least to most)`,
        [...ran].map(([{ what }, runs]): Row => [
          what,
          spread(runs.map((one) => one.perSecond)),
          spread(
            runs.map((one) => one.median),
            1,
          ),
        ]),
        ['orders/s', 'median ms'],
      );
    }),
  );
