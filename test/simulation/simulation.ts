import { randomFrom } from '#testing';
import { Scheduler } from './scheduler.js';

/** How often each thing came up, by names such as `fault: answer lost`, `event: OrderPaid`, `refusal: mandate_paused`. */
export type Tally = Map<string, number>;

/** What goes wrong of itself, each as a share of the calls (0 to 1). */
export interface Trouble {
  /** Calls that are refused, lost, late or doubled, and answers that are lost. */
  readonly lines: number;
  /** Calls that take seconds. */
  readonly slow: number;
  /** Calls at which a process dies, or stands still for longer than any lease. */
  readonly deaths: number;
  readonly stalls: number;
}

/** What is wrong with the disk, and until when (ms of the world's time). */
interface Disk {
  readonly is: 'full' | 'failing';
  readonly until: number;
}

/** Ids of a life are counted: their ends tell them apart. */
export const shortly = (line: string): string => line.replaceAll(/00000000-0000-4000-8000-0*/g, '#');

/** What the parts of one simulated life have in common: time, chance, what is counted and what is told of it. */
export class Simulation {
  readonly scheduler = new Scheduler();
  readonly reached: Tally = new Map();
  /** What happened, line by line; kept only where somebody wants to read it. */
  readonly history: string[] = [];
  readonly random: () => number;
  disk: Disk | null = null;
  /** How often the power failed: what was under way to the read models then never arrives. */
  powerFailures = 0;
  /** Until when (ms of the world's time) nobody can reach the documents, and until when the lists are told nothing. */
  documentsDownUntil = 0;
  listsLateUntil = 0;

  constructor(
    seed: number,
    public trouble: Trouble,
    private readonly isNotified = false,
  ) {
    this.random = randomFrom(seed);
  }

  count(name: string): void {
    this.reached.set(name, (this.reached.get(name) ?? 0) + 1);
  }

  /** Notes a line of the history. It is only made where it is kept. */
  tell(line: () => string): void {
    if (this.isNotified) this.history.push(`${(this.scheduler.now / 1_000).toFixed(3).padStart(9)} ${shortly(line())}`);
  }

  chance(share: number): boolean {
    return share > 0 && this.random() < share;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.random() * items.length)] ?? items[0];
  }

  /** How long (ms) a message is under way. */
  latency(): number {
    if (this.chance(this.trouble.slow)) return 1_000 + this.random() * 40_000;
    return this.chance(0.1) ? 10 + this.random() * 300 : this.random() * 10;
  }
}
