import { DomainError } from '#kernel';

/** Seconds after which a place in the queue may be free. */
const SOON = 2;

/** What bounds work that costs much memory and time. */
export interface ConcurrencyBounds {
  /** Pieces of work that run at once. */
  readonly running: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
  /** How many of both one caller may have, so that no single one fills the queue. */
  readonly perCaller: number;
}

/** Lets only so much run at once; what cannot wait is refused rather than kept. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private readonly callers = new Map<string, number>();

  constructor(private readonly bounds: ConcurrencyBounds) {}

  /** Does `work` in its turn, for `caller` (null: nobody in particular). @throws DomainError `service_unavailable` where there is no room */
  async within<Result>(caller: string | null, work: () => Promise<Result>): Promise<Result> {
    const { waiting, perCaller } = this.bounds;
    const own = caller === null ? 0 : (this.callers.get(caller) ?? 0);
    if (own >= perCaller || this.queue.length >= waiting) {
      throw new DomainError('service_unavailable', undefined, { retryAfter: SOON });
    }
    if (caller !== null) this.callers.set(caller, own + 1);
    try {
      await this.turn();
      return await work();
    } finally {
      this.pass();
      this.release(caller);
    }
  }

  private async turn(): Promise<void> {
    if (this.running < this.bounds.running) this.running += 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  /** Hands the turn on, or ends it. */
  private pass(): void {
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
