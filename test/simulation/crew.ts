import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { z } from 'zod';
import { liveSeed } from './seed.js';

/** What a thread tells of a seed. */
const lived = z.object({
  seed: z.int(),
  findings: z.array(z.string()).readonly(),
  orders: z.int(),
  reached: z.map(z.string(), z.int()),
  hash: z.string(),
});
export type LivedSeed = z.infer<typeof lived>;

/** Which seeds are lived through. */
export interface Seeds {
  readonly first: number;
  readonly count: number;
  /** Whether no further one is begun. */
  readonly isOver?: () => boolean;
}

/** Lives through seeds, in a thread for each core; `told` hears of each, in whatever order. */
export const liveSeeds = async (
  { first, count, isOver = () => false }: Seeds,
  told: (life: LivedSeed) => void,
): Promise<void> => {
  let next = first;
  const live = async () => {
    let worker = new Worker(new URL(import.meta.url));
    while (next < first + count && !isOver()) {
      const seed = next;
      next += 1;
      worker.postMessage(seed);
      try {
        const [answer]: readonly unknown[] = await once(worker, 'message');
        told(lived.parse(answer));
      } catch (error) {
        // Something failed that nobody waited for, and ended the thread.
        const finding = error instanceof Error ? (error.stack ?? error.message) : String(error);
        told({ seed, findings: [finding], orders: 0, reached: new Map(), hash: '' });
        worker = new Worker(new URL(import.meta.url));
      }
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(count, availableParallelism()) }, live));
};

const port = isMainThread ? null : parentPort;
port?.on('message', (seed: number) => {
  void liveSeed(seed).then(({ findings, orders, reached, hash }) =>
    port.postMessage({ seed, findings, orders, reached, hash: hash() } satisfies LivedSeed),
  );
});
