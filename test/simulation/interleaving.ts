import { setImmediate as nextTurn } from 'node:timers/promises';

/** Numbers from 0 (included) to 1 (not), the same for the same seed (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed | 0;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

interface Waiting {
  readonly strand: string;
  readonly goOn: () => void;
}

/** A strand that folds may sit out a turn of the loop (`TimeSlices`): only who stays away for so many has no step left. */
const IDLE_TURNS = 10;

/**
 * Decides who goes on: strands of work wait for their turn before each step, and one step is taken at a time. Every
 * strand has a priority, drawn anew now and then, so that some are far ahead and others stand still for long.
 */
export class Interleaving {
  private waiting: Waiting[] = [];
  private readonly priorities = new Map<string, number>();
  private readonly dead = new Set<string>();

  constructor(private readonly random: () => number) {}

  /** Resolves when it is the strand's turn; never, once it is dead. */
  turn(strand: string): Promise<void> {
    return new Promise((goOn) => {
      if (!this.dead.has(strand)) this.waiting.push({ strand, goOn });
    });
  }

  /** The strand takes no further step. */
  kill(strand: string): void {
    this.dead.add(strand);
    this.waiting = this.waiting.filter((one) => one.strand !== strand);
  }

  /** Steps until nobody waits for a turn any more. */
  async run(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS;) {
      await nextTurn(); // everybody goes as far as their next step
      const next = this.next();
      idle = next ? 0 : idle + 1;
      this.waiting = this.waiting.filter((one) => one !== next);
      next?.goOn();
    }
  }

  private next(): Waiting | undefined {
    const [first, ...others] = this.waiting;
    if (!first) return undefined;
    let { strand } = first;
    for (const one of others) if (this.priorityOf(one.strand) > this.priorityOf(strand)) ({ strand } = one);
    if (this.random() < 0.15) this.priorities.set(strand, this.random());
    // What a strand does side by side may come to pass in any order.
    const steps = this.waiting.filter((one) => one.strand === strand);
    return steps.length === 1 ? steps[0] : steps[Math.floor(this.random() * steps.length)];
  }

  private priorityOf(strand: string): number {
    const known = this.priorities.get(strand) ?? this.random();
    this.priorities.set(strand, known);
    return known;
  }
}
