import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LightApi } from '../bench/light-api.js';
import { median, perSecond, quantile, side, timed } from '../bench/numbers.js';
import { withFolder } from '../bench/server.js';
import { printTable, type Row } from '../bench/table.js';
import { tokensFor } from '../support/agent.js';
import { openTraffic, type Traffic } from './traffic.js';
import { startWatched, type Watched } from './watched.js';

/** What may change over the second half of a run, of what is usual, and still be called level. */
const LEVEL = 0.15;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How a figure changes over the second half of a run, by the line that fits best; flat if it rises by little. */
const drift = (values: readonly number[], room: number) => {
  const half = values.slice(Math.floor(values.length / 2));
  const [middle, height] = [(half.length - 1) / 2, mean(half)];
  const spread = half.reduce((sum, _, place) => sum + (place - middle) ** 2, 0);
  const slope = half.reduce((sum, value, place) => sum + (place - middle) * (value - height), 0) / (spread || 1);
  const change = slope * (half.length - 1);
  return {
    first: height - change / 2,
    last: height + change / 2,
    most: Math.max(...values),
    change,
    isFlat: change <= Math.max(room, LEVEL * median(half)),
  };
};

/** Errands at once while the highest rate is looked for, and how many; the slowest of so many stretches counts. */
const [AT_ONCE, WARM_UP, STRETCH, STRETCHES] = [32, 6_000, 8_000, 4];
const SHARE = 0.7;
/** How often (ms) errands that are due are begun, and figures are taken. */
const [TICK, SAMPLE] = [20, 1_000];
/** After so long (ms) no more errands are begun until those under way have ended and garbage was collected. */
const ROUND = 20_000;
/** Errands under way at which no more are begun: the service is far behind. */
const TOO_MANY = 2_000;
const MEGABYTE = 2 ** 20;

/** What is to stay level, and by how much it may differ. Memory counts after garbage was collected. */
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

const atWork = async (service: Watched, folder: string): Promise<Sample> => {
  const { rss, descriptors, connections, timers, delay } = await service.read();
  return {
    rss: rss / MEGABYTE,
    'open files': descriptors ?? 0,
    'open connections': connections,
    timers,
    'event-loop delay, 99 %, ms': delay,
    'WAL, MB': (await walOf(folder)) / MEGABYTE,
  };
};

const atRest = async (service: Watched): Promise<Sample> => {
  const { rss, heapUsed } = await service.readExactly();
  return {
    rss: rss / MEGABYTE,
    'RSS without garbage, MB': rss / MEGABYTE,
    'heap without garbage, MB': heapUsed / MEGABYTE,
  };
};

/** Errands a second that the machine keeps up, of callers that wait for one another's answers only by being many. */
const highestRate = async (traffic: Traffic): Promise<number> => {
  let done = 0;
  const go = async (count: number): Promise<number> => {
    const errands = Array.from({ length: count }, (_, place) => done + place);
    done += count;
    return perSecond(count, await timed(() => side(AT_ONCE, errands, traffic.call)));
  };
  await go(WARM_UP);
  const rates: number[] = [];
  while (rates.length < STRETCHES) rates.push(await go(STRETCH));
  return Math.min(...rates);
};

/** Errands that are begun at a rate, whether those before have ended or not. */
class Steady {
  readonly times: number[] = [];
  begun = 0;
  failed = 0;
  shed = 0;
  private underWay = 0;

  constructor(
    private readonly traffic: Traffic,
    private readonly rate: number,
  ) {}

  /** For so long, and until all have ended. */
  async go(milliseconds: number): Promise<void> {
    const [began, before] = [performance.now(), this.begun];
    for (let passed = 0; passed < milliseconds; passed = performance.now() - began) {
      for (const due = before + (passed / 1_000) * this.rate; this.begun < due; this.begun += 1) {
        if (this.underWay < TOO_MANY) this.begin(this.begun);
        else this.shed += 1;
      }
      await sleep(TICK);
    }
    while (this.underWay > 0) await sleep(TICK);
  }

  private begin(n: number): void {
    this.underWay += 1;
    timed(() => this.traffic.call(n))
      .then(
        (time) => this.times.push(time),
        (error: unknown) => {
          this.failed += 1;
          if (this.failed <= 3) console.error(error);
        },
      )
      .finally(() => (this.underWay -= 1));
  }
}

/** Mixed traffic at 70 % of this machine's rate for so many minutes; returns whether all stayed level. */
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
    const steady = new Steady(traffic, highest * SHARE);
    for (let left = minutes * 60_000; left > 0; left -= ROUND) {
      const round = new AbortController();
      const watching = (async () => {
        while (!round.signal.aborted) {
          samples.push(await atWork(service, folder));
          await sleep(SAMPLE);
        }
      })();
      await steady.go(Math.min(left, ROUND));
      round.abort();
      await watching;
      samples.push(await atRest(service));
    }
    const { begun, failed, shed, times } = steady;
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
