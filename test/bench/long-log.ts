import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedEventStore } from '#event-store';
import { plus, SystemClock } from '#kernel';
import type { Api } from '../../apps/cli/src/agent/index.js';
import { apiAt, tokensFor } from '../support/agent.js';
import { book, buy, grant } from '../support/purchase.js';
import { tripOf } from './flights.js';
import { fillLog } from './long-log.events.js';
import { median, quantile } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable } from './table.js';

const EVENTS = 1_000_000;
const STARTS = 5;
/** How long (ms) a start is left alone before its memory counts as that at rest, and how often it is asked for anything. */
const [RESTING, ASKED_EVERY] = [10_000, 20];
const LISTS = ['/bookings', '/mandates', '/orders', '/flights?q=belo', '/observability/agent-traffic'];

/** Memory (MB) of a process: now, and the most it ever had. Linux alone tells. */
const memoryOf = async (pid: number): Promise<{ readonly now: number; readonly most: number }> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
};

/** Some starts, one after the other: how long (ms) each takes until it listens, and the memory (MB) at rest of the last. */
const starts = async (folder: string) => {
  const times: number[] = [];
  for (;;) {
    const began = performance.now();
    const server = await startServer(folder);
    times.push(performance.now() - began);
    const isLast = times.length === STARTS;
    if (isLast) await sleep(RESTING);
    const { now } = await memoryOf(server.pid);
    await server.stop();
    if (isLast) return { listens: median(times), memory: now };
  }
};

/** Builds the read models from empty, asking all the while for what is answered meanwhile. */
const built = async (folder: string, token: string, orderId: string) => {
  for (const part of ['', '-wal', '-shm']) await rm(join(folder, `read-models.db${part}`), { force: true });
  const began = performance.now();
  const since = () => performance.now() - began;
  const server = await startServer(folder);
  const api: Api = apiAt(server.origin, token);
  const listens = since();
  const times: { health: number[]; order: number[] } = { health: [], order: [] };
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
    await sleep(ASKED_EVERY);
  } while (!(await areListed()));
  const took = since() - listens;
  const { most } = await memoryOf(server.pid);
  await server.stop();
  return { listens, took, most, times };
};

const figure = (values: readonly number[]): string =>
  `median ${median(values).toFixed(1)} ms, 99 % ${quantile(values, 0.99).toFixed(0)} ms`;

/** What a log of a million events costs: building the read models from empty, and starts with them and without a log. */
export const longLog = (): Promise<void> =>
  withFolder(async (folder) => {
    const empty = await starts(folder);
    const server = await startServer(folder);
    const { access_token: token } = await tokensFor(server.origin);
    const api = apiAt(server.origin, token);
    const order = await buy(api, await book(api, tripOf(1)), await grant(api, 1_000_00));
    await server.stop();
    const events = await EmbeddedEventStore.open({ file: join(folder, 'events.db'), appendTimeout: 60_000 });
    await fillLog(events, EVENTS, plus(new SystemClock().now(), -3_600_000));
    await events.close();
    const { listens, took, most, times } = await built(folder, token, order.id);
    const full = await starts(folder);
    printTable(`The embedded service on a log of ${EVENTS} events`, [
      ['read models from empty', `${((EVENTS / took) * 1_000).toFixed(0)} events/s, ${(took / 1_000).toFixed(1)} s`],
      ['it listens after', `${(listens / 1_000).toFixed(2)} s`],
      ['GET /health meanwhile', figure(times.health)],
      ['GET /orders/{id} meanwhile', figure(times.order)],
      ['memory meanwhile, at most', `${most.toFixed(0)} MB`],
      ['a start with them', `${(full.listens / 1_000).toFixed(2)} s, ${full.memory.toFixed(0)} MB at rest`],
      ['a start without a log', `${(empty.listens / 1_000).toFixed(2)} s, ${empty.memory.toFixed(0)} MB at rest`],
    ]);
  });
