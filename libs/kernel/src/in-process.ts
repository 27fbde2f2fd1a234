import { type Clock, nextTurn } from './time-and-ids.port.js';

/** Work under one name happens one after the other; under different names side by side. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` once everything taken earlier under `name` has ended, well or not. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const mine = (this.last.get(name) ?? Promise.resolve()).then(work, work);
    this.last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(name) === mine) this.last.delete(name);
    }
  }
}

/** Returns what `make` makes, once for everybody who asks. A failure is not kept: who asks next tries again. */
export const lazily = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
};

/** Shares the loop with long work. Before each small piece: `while (slices.isOver()) await slices.next();` */
export class TimeSlices {
  /** The end of the slice that has begun; null between two. */
  private end: Promise<void> | null = null;
  private began = 0;

  /** `length`: how long (ms) a slice is, beside the last piece of work that was begun in it. */
  constructor(
    private readonly clock: Clock,
    private readonly length = 2,
  ) {}

  /** Whether the present slice is used up. Where none has begun, one begins. */
  isOver(): boolean {
    this.end ??= this.begin();
    return this.clock.monotonic() - this.began >= this.length;
  }

  /** The end of the present slice. Others may have used up the next one by then. */
  async next(): Promise<void> {
    await this.end;
  }

  private async begin(): Promise<void> {
    this.began = this.clock.monotonic();
    await nextTurn();
    this.end = null;
  }
}

/**
 * Options of an LRUCache that forgets what was used longest ago beyond `most` entries. The library's own `max` lays room for
 * all of them at once: 1.5 ms for 10,000, before the first comes.
 */
export const upTo = (most: number) => ({ maxSize: most, sizeCalculation: one }) as const;

const one = (): number => 1;
