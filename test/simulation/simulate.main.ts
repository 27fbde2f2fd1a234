import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { liveSeed } from './seed.js';

/**
 * `npm run simulate -- --seeds 100000 [--seed N] [--minutes M] [--hash] [--stop-at-first]`: lives through seeds, on all
 * cores. The last line is `N seeds, M findings`; exit 1 where M > 0.
 *
 * `--seed`: this one alone, or the first of `--seeds`. `--minutes`: begins no further seed after so long. `--hash`: prints
 * the SHA-256 of log and ledger of each seed. `--stop-at-first`: begins no further seed after a finding.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    hash: { type: 'boolean', default: false },
    'stop-at-first': { type: 'boolean', default: false },
  },
});

/** What a thread tells of a seed. */
const lived = z.object({
  seed: z.int(),
  findings: z.array(z.string()),
  orders: z.int(),
  reached: z.map(z.string(), z.int()),
  hash: z.string().nullable(),
});

if (isMainThread) await simulate();
else serve();

/** Lives through the seeds that the main thread sends, one at a time. */
function serve(): void {
  parentPort?.on('message', (seed: number) => {
    void liveSeed(seed).then(({ findings, orders, reached, hash }) =>
      parentPort?.postMessage({ seed, findings, orders, reached, hash: workerData === 'hash' ? hash() : null }),
    );
  });
}

async function simulate(): Promise<void> {
  const first = Number(values.seed ?? 1);
  const count = Number(values.seeds ?? (values.seed === undefined ? 500 : 1));
  const endsAt = Date.now() + Number(values.minutes ?? Infinity) * 60_000;
  let next = first;
  let [seeds, findings, orders] = [0, 0, 0];
  const reached = new Map<string, number>();
  const isOver = () => next >= first + count || Date.now() >= endsAt || (values['stop-at-first'] && findings > 0);
  const live = async () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: values.hash ? 'hash' : null });
    while (!isOver()) {
      worker.postMessage(next);
      next += 1;
      const life = await new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
      worker.removeAllListeners('error');
      const told = lived.parse(life);
      seeds += 1;
      orders += told.orders;
      for (const [name, times] of told.reached) reached.set(name, (reached.get(name) ?? 0) + times);
      if (told.hash) console.log(`seed ${told.seed}: ${told.hash}`);
      if (told.findings.length === 0) continue;
      findings += told.findings.length;
      console.log(
        [`seed ${told.seed}:`, ...told.findings, `replay: npm run simulate -- --seed ${told.seed}`].join('\n  '),
      );
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(count, availableParallelism()) }, live));
  for (const [name, times] of [...reached].sort()) console.log(`${String(times).padStart(9)}  ${name}`);
  console.log(`${orders} orders, ${Math.round(process.cpuUsage().user / 1_000)} ms of CPU`);
  console.log(`${seeds} seeds, ${findings} findings`);
  if (findings > 0) process.exitCode = 1;
}
