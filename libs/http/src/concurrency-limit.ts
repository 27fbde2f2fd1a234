import { DomainError } from '#kernel';

/** Seconds after which a place in the queue may be free. */
const RETRY_AFTER = 2;

export interface ConcurrencyBounds {
  readonly running: number;
  readonly waiting: number;
  /** How many of both a single caller may have, so that no caller fills the queue. */
  readonly perCaller: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Overloaded) => void;
}

/** What waits, by the part of a caller's work that it belongs to. */
type Lines = Map<string, Waiting[]>;

const lengthOf = (lines: Lines | undefined): number =>
  [...(lines?.values() ?? [])].reduce((sum, line) => sum + line.length, 0);

const longestOf = <Item>(items: Iterable<Item>, length: (item: Item) => number): Item | undefined =>
  [...items].reduce<Item | undefined>((most, item) => (most && length(most) >= length(item) ? most : item), undefined);

/** "Not now": others came first. Nothing has failed, and nothing was begun. */
export class Overloaded extends DomainError {
  constructor() {
    super('service_unavailable', undefined, { retryAfter: RETRY_AFTER });
  }
}

/** Bounds work by turns of callers and of parts of a caller's work. Beyond the queue, the caller with most waiting is refused. */
export class ConcurrencyLimit {
  private running = 0;
  /** By caller, what waits; the next in turn comes first. */
  private readonly queue = new Map<string, Lines>();
  /** By caller, how many pieces run or wait. */
  private readonly callers = new Map<string, number>();

  constructor(private readonly bounds: ConcurrencyBounds) {}

  /** Runs `work` when its turn comes, for `caller` (null: nobody in particular) and a `part` of theirs. @throws Overloaded */
  async run<Result>(caller: string | null, work: () => Promise<Result>, part = ''): Promise<Result> {
    const key = caller ?? '';
    const own = this.callers.get(key) ?? 0;
    if (!this.hasRoom(key, part, caller === null ? 0 : own)) throw new Overloaded();
    this.callers.set(key, own + 1);
    try {
      await this.turn(key, part);
      try {
        return await work();
      } finally {
        this.handOver();
      }
    } finally {
      this.release(key);
    }
  }

  private hasRoom(key: string, part: string, own: number): boolean {
    const { running, waiting, perCaller } = this.bounds;
    if (own >= perCaller)
      return this.displace(this.queue.get(key), this.queue.get(key)?.get(part)?.length ?? 0, 'line');
    if (this.running < running) return true;
    const all = [...this.queue.values()];
    if (all.reduce((sum, lines) => sum + lengthOf(lines), 0) < waiting) return true;
    return this.displace(longestOf(all, lengthOf), lengthOf(this.queue.get(key)), 'caller');
  }

  /** Refuses the youngest of the longest line, where the newcomer has less waiting than that would leave. */
  private displace(lines: Lines | undefined, own: number, by: 'caller' | 'line'): boolean {
    const line = longestOf(lines?.values() ?? [], ({ length }) => length) ?? [];
    const longest = by === 'caller' ? lengthOf(lines) : line.length;
    if (longest <= own + 1) return false;
    line.pop()?.refuse(new Overloaded());
    return true;
  }

  private async turn(key: string, part: string): Promise<void> {
    if (this.running < this.bounds.running) {
      this.running += 1;
      return;
    }
    await new Promise<void>((begin, refuse) => {
      const lines: Lines = this.queue.get(key) ?? new Map<string, Waiting[]>();
      lines.set(part, [...(lines.get(part) ?? []), { begin, refuse }]);
      this.queue.set(key, lines);
    });
  }

  /** Lets the next piece of work run, if one is waiting: the next caller's, and of that one the next part's. */
  private handOver(): void {
    for (const [key, lines] of this.queue) {
      this.queue.delete(key); // to the end of the round
      for (const [part, [next, ...others]] of lines) {
        lines.delete(part);
        if (others.length > 0) lines.set(part, others);
        if (!next) continue;
        if (lines.size > 0) this.queue.set(key, lines);
        next.begin();
        return;
      }
    }
    this.running -= 1;
  }

  private release(key: string): void {
    const others = (this.callers.get(key) ?? 1) - 1;
    if (others === 0) this.callers.delete(key);
    else this.callers.set(key, others);
  }
}
