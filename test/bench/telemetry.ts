import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from '../../apps/cli/src/agent/index.js';
import { agentAt } from '../support/agent.js';
import { book, buy, grant } from '../support/purchase.js';
import { tripOf } from './flights.js';
import { byTurns, median, side } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable } from './table.js';

const PAIRS = 120;
const WARM_UP = 120;
/** Requests that are timed together, so many at once. */
const [TOGETHER, AT_ONCE] = [200, 16];
const READ_PAIRS = 25;
const ENOUGH = 10_000_000_000;

/** Takes whatever is sent, and forgets it. */
const openCollector = async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

/** A service, and what is timed on it. */
const openSubject = async (folder: string, environment: Readonly<Record<string, string>>) => {
  const server = await startServer(folder, environment);
  const api = await agentAt(server.origin);
  const mandate = await grant(api, ENOUGH);
  let booked = 0;
  const order = async (): Promise<void> => {
    booked += 1;
    await buy(api, await book(api, tripOf(booked)), mandate);
  };
  const reads = (): Promise<void> => side(AT_ONCE, Array.from({ length: TOGETHER }), () => read(api));
  for (let time = 0; time < WARM_UP; time += 1) await order();
  for (let time = 0; time < 10; time += 1) await reads();
  return { order, reads, stop: server.stop };
};

const read = (api: Api) => api.get('/flights?q=sao&limit=5');

/** The median of the pairs' own ratios: what else the machine did in that moment, it did to both. */
const ratio = (watched: readonly number[], plain: readonly number[]): string => {
  const pairs = watched.map((time, pair) => time / (plain[pair] ?? NaN));
  return `${median(pairs).toFixed(2)} ×   (${median(watched).toFixed(1)} ms against ${median(plain).toFixed(1)} ms)`;
};

/** What being watched costs a request: the same service with and without telemetry, by turns. */
export const telemetry = async (): Promise<void> => {
  const collector = await openCollector();
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const metrics = { METRICS_PORT: '0' };
  const kinds = [
    ['metrics', metrics],
    ['traces of every request', traces],
    ['metrics, and traces of every tenth request', { ...metrics, ...traces, ...TENTH }],
    ['metrics, and traces of every request', { ...metrics, ...traces }],
    ['nothing at all, as a check', {}],
  ] as const;
  const rows: [string, string][] = [];
  for (const [what, environment] of kinds) {
    await withFolder((plainFolder) =>
      withFolder(async (watchedFolder) => {
        const plain = await openSubject(plainFolder, {});
        const watched = await openSubject(watchedFolder, environment);
        const orders = await byTurns(PAIRS, watched.order, plain.order);
        const reads = await byTurns(READ_PAIRS, watched.reads, plain.reads);
        rows.push([`${what}: an order with its booking`, ratio(orders.one, orders.other)]);
        rows.push([`${what}: ${TOGETHER} searches, ${AT_ONCE} at once`, ratio(reads.one, reads.other)]);
        await plain.stop();
        await watched.stop();
      }),
    );
  }
  collector.close();
  printTable('A service that tells, against the same one that tells nothing, by turns', rows);
};

const TENTH = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
