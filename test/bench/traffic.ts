import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { Aggregates, EmbeddedEventStore } from '#event-store';
import { type TrafficEvent, trafficLog } from '#events';
import { plus, RandomIds, SystemClock, systemContext } from '#kernel';
import { callsOf, countersCost, minutesOf } from '../../libs/traffic/src/testing/index.js';
import { byTurns, median, quantile, side, timed } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable } from './table.js';

const AT_ONCE = 32;
/** Requests of one turn, and how many pairs of turns are compared. */
const [REQUESTS, PAIRS, WARM_UP] = [1_000, 40, 5];
const TARGET = 0.97;
const READS = 20;
const DAY = 86_400_000;
/** Calls of an hour of the year. */
const HOURLY = 400;

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const read = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'user-agent': 'python-httpx/0.28.1' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${String(response.statusCode)}`));
      response.resume().once('end', () => resolve());
    }).once('error', reject);
  });

const requests = Array.from({ length: REQUESTS });
const turn = (origin: string) => () => side(AT_ONCE, requests, () => read(`${origin}/api/v1/flights/AL1001`));

/** The throughput of a read with capture on, as a share of that with capture off: two servers, by turns. */
const throughput = (): Promise<string> =>
  withFolder((folder) =>
    withFolder(async (other) => {
      const on = await startServer(folder);
      const off = await startServer(other, { AGENT_TRAFFIC: 'off' });
      await byTurns(WARM_UP, turn(on.origin), turn(off.origin));
      const times = await byTurns(PAIRS, turn(on.origin), turn(off.origin));
      await on.stop();
      await off.stop();
      const ratio = median(times.other.map((milliseconds, pair) => milliseconds / (times.one[pair] ?? NaN)));
      const perSecond = (all: readonly number[]) => ((REQUESTS / median(all)) * 1_000).toFixed(0);
      const verdict = ratio >= TARGET ? 'within' : 'UNDER';
      return `${ratio.toFixed(3)}   (${perSecond(times.one)} against ${perSecond(times.other)} requests/s, ${PAIRS} pairs; ${verdict} the ${TARGET} aimed at)`;
    }),
  );

/** A year of traffic in the log of a folder, an event of this many calls an hour. */
const writeYear = async (folder: string): Promise<void> => {
  const clock = new SystemClock();
  const log = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  const aggregates = new Aggregates(log, clock, new RandomIds());
  const now = clock.now();
  for (let day = 365; day > 0; day -= 1) {
    for (const minutes of minutesOf(callsOf(day, 24 * HOURLY, plus(now, -day * DAY), DAY), HOURLY)) {
      const facts: readonly TrafficEvent[] = [{ type: 'AgentTrafficObserved', data: { minutes } }];
      await aggregates.handle(trafficLog, { at: now, start: 'bench' }, { facts }, systemContext('bench'));
    }
  }
  await log.close();
};

/** What a month by the hour takes with a year stored, or a week with a filter, over HTTP; each answer is made anew. */
const month = (): Promise<readonly (readonly [string, string])[]> =>
  withFolder(async (folder) => {
    await writeYear(folder);
    const server = await startServer(folder);
    const since = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    const address = `${server.origin}/api/v1/observability/agent-traffic?bucket=hour&from=`;
    const rows: (readonly [string, string])[] = [];
    for (const filter of ['', '&operation=get_flight', '&agent=python']) {
      const times: number[] = [];
      for (let time = 0; time < READS; time += 1)
        times.push(await timed(() => read(address + since(filter === '' ? 30 : 7) + filter)));
      rows.push([
        filter === '' ? 'all calls' : filter.slice(1),
        `median ${median(times).toFixed(0)} ms, 95 % ${quantile(times, 0.95).toFixed(0)} ms`,
      ]);
    }
    await server.stop();
    return rows;
  });

/** What counting costs on the way of a request, what it costs of the throughput, and how long analysts wait. */
export const traffic = async (): Promise<void> => {
  const cost = countersCost(callsOf(2, 200_000, '2026-01-15T12:00:00.000Z', 60_000));
  printTable('Counting one call', [['nothing else', `${cost.toFixed(2)} µs`]]);
  printTable('Throughput', [['GET /flights/{flightNumber}, capture on against off', await throughput()]]);
  printTable('GET /observability/agent-traffic, a month by the hour, or a filtered week; a year stored', await month());
};
