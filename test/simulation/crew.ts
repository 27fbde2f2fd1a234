import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { z } from 'zod';
import { liveSeed } from './seed.js';

const lived = z.object({
  seed: z.int(),
  findings: z.array(z.string()).readonly(),
  orders: z.int(),
  reached: z.map(z.string(), z.int()),
  /** null: it was not asked for. */
  hash: z.string().nullable(),
});
export type LivedSeed = z.infer<typeof lived>;

interface Order {
  readonly seed: number;
  readonly isHashed: boolean;
}

export interface Seeds {
  readonly first: number;
  readonly count: number;
  readonly isHashed?: boolean;
  /** Whether no further one is begun. */
  readonly isOver?: () => boolean;
}

/** A life leaves nothing behind: with much room for what is young, little of it is ever copied. */
const newThread = () => new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 64 } });

/** Lives through seeds, in a thread for each core; `told` hears of each, in whatever order. */
export const liveSeeds = async (
  { first, count, isHashed = false, isOver = () => false }: Seeds,
  told: (life: LivedSeed) => void,
): Promise<void> => {
  let next = first;
  const live = async () => {
    let worker = newThread();
    while (next < first + count && !isOver()) {
      const seed = next;
      next += 1;
      worker.postMessage({ seed, isHashed } satisfies Order);
      try {
        const answer = z.tuple([lived]).parse(await once(worker, 'message'));
        told(answer[0]);
      } catch (error) {
        // Something failed that nobody waited for, and ended the thread.
        const finding = error instanceof Error ? (error.stack ?? error.message) : String(error);
        told({ seed, findings: [finding], orders: 0, reached: new Map(), hash: null });
        worker = newThread();
      }
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(count, availableParallelism()) }, live));
};

const port = isMainThread ? null : parentPort;
port?.on('message', ({ seed, isHashed }: Order) => {
  void liveSeed(seed).then(({ findings, orders, reached, hash }) =>
    port.postMessage({ seed, findings, orders, reached, hash: isHashed ? hash() : null } satisfies LivedSeed),
  );
});
