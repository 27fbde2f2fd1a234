import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LightApi } from '../bench/light-api.js';
import { perSecond, quantile, side, timed } from '../bench/numbers.js';
import { withFolder } from '../bench/server.js';
import { printTable, type Row } from '../bench/table.js';
import { tokensFor } from '../support/agent.js';
import { drift } from './drift.js';
import { openTraffic, type Traffic } from './traffic.js';
import { startWatched, type Watched } from './watched.js';

/** Errands at once while the highest rate is looked for, and how many: the first of them until everything is compiled. */
const [AT_ONCE, WARM_UP, FASTEST] = [32, 6_000, 10_000];
const SHARE = 0.7;
/** How often (ms) errands that are due are begun, and figures are taken. */
const [TICK, SAMPLE] = [20, 1_000];
/** Garbage is collected before one of so many samples: it stops the service for a moment, and so must not come often. */
const COLLECTED = 20;
/** Errands under way at which no more are begun: the service is far behind. */
const TOO_MANY = 2_000;
const MEGABYTE = 2 ** 20;

/**
 * What is to stay level, in units that a reader knows; and by how much it may differ from level whatever its size. The
 * memory that counts is what is left after garbage was collected: how much waits to be is for the engine to choose.
 */
const FIGURES = [
  ['RSS without garbage, MB', 48],
  ['heap without garbage, MB', 16],
  ['open files', 8],
  ['open connections', 16],
  ['timers', 24],
  ['event-loop delay, 99 %, ms', 20],
  ['WAL, MB', 24],
] as const;
type Sample = Readonly<Partial<Record<(typeof FIGURES)[number][0], number>>> & { readonly rss: number };

const walOf = async (folder: string): Promise<number> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('-wal'));
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
};

const sampled = async (service: Watched, folder: string, isExact: boolean): Promise<Sample> => {
  const { rss, heapUsed, descriptors, connections, timers, delay } = await service[isExact ? 'readExactly' : 'read']();
  return {
    rss: rss / MEGABYTE,
    ...(isExact && {
      'RSS without garbage, MB': rss / MEGABYTE,
      'heap without garbage, MB': heapUsed / MEGABYTE,
    }),
    'open files': descriptors ?? 0,
    'open connections': connections,
    timers,
    // Of a moment that was spent on collecting garbage for this program, the delay says nothing.
    ...(!isExact && { 'event-loop delay, 99 %, ms': delay }),
    'WAL, MB': (await walOf(folder)) / MEGABYTE,
  };
};

/** Errands a second of callers that wait for one another's answers only by being many. */
const highestRate = async (traffic: Traffic): Promise<number> => {
  const errands = (from: number, count: number) => Array.from({ length: count }, (_, place) => from + place);
  await side(AT_ONCE, errands(0, WARM_UP), traffic.call);
  return perSecond(FASTEST, await timed(() => side(AT_ONCE, errands(WARM_UP, FASTEST), traffic.call)));
};

/** Begins errands at a rate, whether those before have ended or not. */
const steadily = async (traffic: Traffic, rate: number, milliseconds: number) => {
  const [began, times] = [performance.now(), [] as number[]];
  let [begun, underWay, failed, shed] = [0, 0, 0, 0];
  const begin = (n: number): void => {
    underWay += 1;
    timed(() => traffic.call(n))
      .then(
        (time) => times.push(time),
        (error: unknown) => {
          failed += 1;
          if (failed <= 3) console.error(error);
        },
      )
      .finally(() => (underWay -= 1));
  };
  for (let passed = 0; passed < milliseconds; passed = performance.now() - began) {
    for (const due = (passed / 1_000) * rate; begun < due; begun += 1) {
      if (underWay < TOO_MANY) begin(begun);
      else shed += 1;
    }
    await sleep(TICK);
  }
  while (underWay > 0) await sleep(TICK);
  return { begun, failed, shed, times };
};

/**
 * Mixed traffic at 70 % of the highest rate that this machine gives, for so many minutes (up to twenty, which the seats
 * last): whether memory, descriptors, timers, the event loop and the WAL stay level. Answers whether all of them did.
 */
export const soak = async (minutes: number): Promise<boolean> => {
  let isLevel = false;
  await withFolder(async (folder) => {
    const service = await startWatched({
      DATA_DIR: folder,
      CATALOG_FILE: join(folder, 'catalogue.json'),
      ...Object.fromEntries(
        ['OPEN_MANDATES', 'REFUSED_CARDS', 'OPERATIONS', 'PUBLIC_READS'].map((name) => [`LIMIT_${name}`, '0']),
      ),
    });
    const api = new LightApi(`${service.origin}/api/v1`, (await tokensFor(service.origin)).access_token);
    const traffic = await openTraffic(api);
    const highest = await highestRate(traffic);
    console.error(`${highest.toFixed(0)} errands/s at most; ${minutes} minutes at ${(highest * SHARE).toFixed(0)}/s`);
    const samples: Sample[] = [];
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        samples.push(await sampled(service, folder, samples.length % COLLECTED === COLLECTED - 1));
        await sleep(SAMPLE);
      }
    })();
    const { begun, failed, shed, times } = await steadily(traffic, highest * SHARE, minutes * 60_000);
    over.abort();
    await watching;
    api.close();
    await service.stop();
    const drifts = FIGURES.map(([figure, room]) => ({
      figure,
      ...drift(
        samples.flatMap((sample) => sample[figure] ?? []),
        room,
      ),
    }));
    isLevel = failed + shed === 0 && drifts.every(({ isFlat }) => isFlat);
    printTable(
      `${minutes} minutes of ${(highest * SHARE).toFixed(0)} errands/s, of at most ${highest.toFixed(0)}: ${begun} errands, ` +
        `${failed} failed, ${shed} not begun; median ${quantile(times, 0.5).toFixed(1)} ms, 99 % ${quantile(times, 0.99).toFixed(0)} ms; RSS at most ` +
        `${Math.max(...samples.map(({ rss }) => rss)).toFixed(0)} MB`,
      drifts.map(({ figure, first, last, most, change, isFlat }): Row => [
        figure,
        ...[first, last, most, change].map((value) => value.toFixed(1)),
        isFlat ? 'level' : 'NOT LEVEL',
      ]),
      ['at half', 'at the end', 'at most', 'drift in the second half', ''],
    );
  });
  return isLevel;
};
