import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokensFor } from '../support/agent.js';
import { LightApi } from '../bench/light-api.js';
import { median, quantile, side, timed } from '../bench/numbers.js';
import { withFolder } from '../bench/server.js';
import { openTable } from '../bench/table.js';
import { type Flooding, FLOODINGS, type Tally } from './flood.js';
import { openTraffic, type Traffic } from './traffic.js';
import { type Reading, startWatched, type Watched } from './watched.js';
import { Forked } from '../support/forked.js';

/** A flood in a process of its own, so that whoever takes times does not share its event loop. */
const startFlood = (
  flooding: Flooding,
  port: number,
  bounds: { readonly count: number; readonly addresses: number },
) => {
  const args = [flooding, String(port), String(bounds.count), String(bounds.addresses)];
  const flood = new Forked('test/soak/flood.main.js', args);
  return {
    tally: (): Promise<Tally> => flood.ask('tally'),
    stop: (): Promise<void> => flood.end(),
  };
};

const CONNECTIONS = 10_000;
const ADDRESSES = 60;
/** Calls of the others that are timed, so many at once; and what they may take, of what they take alone. */
const [CALLS, AT_ONCE, TARGET] = [1_500, 4, 2];
/** Descriptors that a process needs for anything else. */
const ROOM = 500;
/** How long (ms) a flood may take to stand, and its connections to be gone. */
const [STANDING, GONE] = [30_000, 20_000];

/** How many connections of the flood one process may open: Node has raised its own bound as far as it may. */
const allowed = (): number => {
  const [, , hard = String(CONNECTIONS)] =
    /Max open files\s+(\d+)\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Math.min(CONNECTIONS, Number(hard) - ROOM);
};

/** The times (ms) of the others' calls. Who is cut off says it again, as an agent does. */
const timesOf = async (traffic: Traffic): Promise<readonly number[]> => {
  const times: number[] = [];
  const calls = Array.from({ length: CALLS }, (_, place) => place);
  await side(AT_ONCE, calls, async (n) => {
    times.push(await timed(() => traffic.call(n).catch(() => traffic.call(n))));
  });
  return times;
};

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
const shown = ({ rss, heapUsed, descriptors, sockets }: Reading): string =>
  `${megabytes(rss)}/${megabytes(heapUsed)} MB, ${String(descriptors)} files, ${String(sockets)} sockets`;

/** Asks until an answer is as wanted, or nobody waits any longer. */
const until = async (isSo: () => Promise<boolean>, within: number): Promise<void> => {
  const deadline = performance.now() + within;
  while (!(await isSo()) && performance.now() < deadline) await sleep(250);
};

/** One kind of flood against a service at rest: what others wait beside it, and what is left of it afterwards. */
const flooded = async (flooding: Flooding, count: number, traffic: Traffic, service: Watched) => {
  const alone = await timesOf(traffic);
  const before = await service.readExactly();
  const port = Number(new URL(service.origin).port);
  const flood = startFlood(flooding, port, { count, addresses: ADDRESSES });
  let last = -1;
  await until(async () => {
    const { standing, opened } = await flood.tally();
    const isSteady = standing === last && opened > 0;
    last = standing;
    return standing >= count || (isSteady && opened >= count);
  }, STANDING);
  const beside = await timesOf(traffic);
  const during = await service.read();
  const tally = await flood.tally();
  await flood.stop();
  await until(async () => (await service.read()).connections <= before.connections, GONE);
  return { alone, beside, before, during, after: await service.readExactly(), tally };
};

const MODES: readonly { readonly name: string; readonly environment: Readonly<Record<string, string>> }[] = [
  {
    name: 'every connection is held (LIMIT_CONNECTIONS=0, HEADERS_SECONDS=60)',
    environment: {
      LIMIT_CONNECTIONS: '0',
      LIMIT_CONNECTIONS_BY_ADDRESS: '0',
      HEADERS_SECONDS: '60',
      REQUEST_SECONDS: '120',
      LIMIT_PUBLIC_READS: '0',
    },
  },
  { name: 'as configured by default', environment: { TRUST_PROXY: 'none', LIMIT_PUBLIC_READS: '0' } },
];

/** Prints what others wait while 10,000 connections of each kind stand or come and go, and what of them is left. */
export const connections = async (only: string): Promise<void> => {
  const count = allowed();
  if (count < CONNECTIONS) console.error(`no more than ${count} connections are allowed here (ulimit -n)`);
  for (const { name, environment } of MODES)
    await withFolder(async (folder) => {
      const service = await startWatched({
        DATA_DIR: folder,
        CATALOG_FILE: `${folder}/catalogue.json`,
        LIMIT_OPERATIONS: '0',
        LIMIT_OPEN_MANDATES: '0',
        LIMIT_REFUSED_CARDS: '0',
        ...environment,
      });
      const api = new LightApi(`${service.origin}/api/v1`, (await tokensFor(service.origin)).access_token);
      const traffic = await openTraffic(api);
      await timesOf(traffic); // until what runs again and again is compiled
      const row = openTable(`${count} connections from ${ADDRESSES} addresses; ${name}`, [
        'stood (in all)',
        'others, median',
        'others, 95 %',
        'ratio of the medians',
        'RSS/heap, files, sockets: before',
        'after',
      ]);
      for (const flooding of FLOODINGS.filter((one) => only === '' || one === only)) {
        const { alone, beside, before, during, after, tally } = await flooded(flooding, count, traffic, service);
        const ratio = median(beside) / median(alone);
        const pair = (share: number) =>
          `${quantile(alone, share).toFixed(1)} → ${quantile(beside, share).toFixed(1)} ms`;
        row([
          flooding,
          `${during.connections} (${tally.opened})`,
          pair(0.5),
          pair(0.95),
          `${ratio.toFixed(2)} × (${ratio <= TARGET ? 'within' : 'OVER'} the ${TARGET} aimed at)`,
          shown(before),
          shown(after),
        ]);
      }
      api.close();
      await service.stop();
    });
};
