import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Profiler } from 'node:inspector';
import { BUYERS, openBuyers } from './buyers.js';
import { tripOf } from './flights.js';
import { side } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable, type Row } from './table.js';
import { built } from '../support/built.js';

const [ORDERS, READS, WARM_UP] = [2_000, 40_000, 600];
/** Parts below this share are shown together. */
const LEAST = 0.01;

/** Which part of the program a sample belongs to: one of our libs, a package, a module of Node, or what V8 says of itself. */
const partOf = ({ functionName, url }: Profiler.ProfileNode['callFrame']): string => {
  if (url === '')
    return functionName === '(program)' ? 'native code and the system' : functionName || 'native code without a name';
  const [, part] =
    /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ??
    /\/builds\/[^/]+\/((?:libs|apps)\/[^/]+)\//.exec(url) ??
    /^(node:\w+)/.exec(url) ??
    [];
  return part ?? url;
};

/** Waiting, and the profiler's own beginning. */
const NOT_SPENT = new Set(['(idle)', 'dispatch']);

/** Microseconds of the main thread by part. */
const byPart = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ReadonlyMap<string, number> => {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const spent = new Map<string, number>();
  for (const [place, id] of samples.entries()) {
    const part = parts.get(id) ?? '';
    if (!NOT_SPENT.has(part)) spent.set(part, (spent.get(part) ?? 0) + (timeDeltas[place] ?? 0));
  }
  return spent;
};

const print = (what: string, count: number, profile: Profiler.Profile): void => {
  const spent = [...byPart(profile)].sort(([, one], [, other]) => other - one);
  const all = spent.reduce((sum, [, time]) => sum + time, 0);
  const row = (part: string, time: number): Row => [
    part,
    `${((time / all) * 100).toFixed(1)} %`,
    (time / count).toFixed(1),
  ];
  const large = spent.filter(([, time]) => time / all >= LEAST);
  const rest = all - large.reduce((sum, [, time]) => sum + time, 0);
  printTable(
    `The main thread over ${count} ${what}, ${BUYERS} at once, by part`,
    [...large.map(([part, time]) => row(part, time)), row('all smaller ones', rest), row('all', all)],
    ['share', 'µs each'],
  );
};

/** Where the main thread's time goes in an order and in a public read: shares, which other work on the machine hardly shifts. */
export const profile = (): Promise<void> =>
  withFolder(async (folder) => {
    const file = join(folder, 'profile.json');
    const NODE_OPTIONS = `--import ${built('test/bench/profiled.main.js')}`;
    const server = await startServer(folder, { NODE_OPTIONS, PROFILE: file, LOG_LEVEL: 'info' });
    const profiled = async (work: () => Promise<unknown>): Promise<Profiler.Profile> => {
      process.kill(server.pid, 'SIGUSR2');
      await work();
      process.kill(server.pid, 'SIGUSR2');
      while (!existsSync(file)) await sleep(100);
      await sleep(500); // until it is whole
      const written = await readFile(file, 'utf8');
      await rm(file);
      return JSON.parse(written) as Profiler.Profile;
    };
    const { api, book, order, own } = await openBuyers(server.origin);
    await order((await book(WARM_UP)).bookings, own);
    const { bookings } = await book(ORDERS);
    print('orders', ORDERS, await profiled(() => order(bookings, own)));

    const path = `/flights/${tripOf(0).flightNumber}`;
    const read = (count: number) => side(BUYERS, Array.from({ length: count }), () => api.get(path));
    await read(WARM_UP);
    print('reads of a flight', READS, await profiled(() => read(READS)));
    await server.stop();
  });
