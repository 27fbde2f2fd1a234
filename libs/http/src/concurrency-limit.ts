import { DomainError } from '#kernel';

/** Seconds after which a place in the queue may be free. */
const RETRY_AFTER = 2;

/** The bounds of work that takes much memory and time. */
export interface ConcurrencyBounds {
  /** How many pieces of work run at a time. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
  /** How many of both a single caller may have, so that no caller fills the queue. */
  readonly perCaller: number;
}

/** Runs only so many pieces of work at a time. What exceeds the queue is refused. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private readonly callers = new Map<string, number>();

  constructor(private readonly bounds: ConcurrencyBounds) {}

  /** Runs `work` when its turn comes, for `caller` (null: nobody in particular). @throws DomainError `service_unavailable` where the queue is full */
  async run<Result>(caller: string | null, work: () => Promise<Result>): Promise<Result> {
    const { waiting, perCaller } = this.bounds;
    const own = caller === null ? 0 : (this.callers.get(caller) ?? 0);
    if (own >= perCaller || this.queue.length >= waiting) {
      throw new DomainError('service_unavailable', undefined, { retryAfter: RETRY_AFTER });
    }
    if (caller !== null) this.callers.set(caller, own + 1);
    try {
      await this.acquire();
      return await work();
    } finally {
      this.handOver();
      this.release(caller);
    }
  }

  private async acquire(): Promise<void> {
    if (this.running < this.bounds.running) this.running += 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  /** Lets the next piece of work run, if one is waiting. */
  private handOver(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.running -= 1;
  }

  private release(caller: string | null): void {
    if (caller === null) return;
    const others = (this.callers.get(caller) ?? 1) - 1;
    if (others === 0) this.callers.delete(caller);
    else this.callers.set(caller, others);
  }
}
