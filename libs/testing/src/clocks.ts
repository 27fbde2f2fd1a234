import { type Cancel, Clock, type Instant, instantOf, millisecondsOf, plus, SystemClock } from '#kernel';

/** A clock that shows the time a test sets, and waits as any other does; on its timer passes what a test lets pass as well. */
export class FixedClock extends SystemClock {
  private moved = 0;

  constructor(private instant: Instant = '2026-01-15T12:00:00.000Z') {
    super();
  }

  override now(): Instant {
    return this.instant;
  }

  override monotonic(): number {
    return super.monotonic() + this.moved;
  }

  advance(milliseconds: number): void {
    this.moved += milliseconds;
    this.instant = plus(this.instant, milliseconds);
  }
}

interface Timer {
  at: number;
  readonly every: number | null;
  readonly callback: () => void;
}

/** A clock on which time passes only when a test says so, for timers as well. */
export class ManualClock extends Clock {
  private passed = 0;
  private readonly timers = new Set<Timer>();

  constructor(private readonly start: Instant = '2026-01-15T12:00:00.000Z') {
    super();
  }

  now(): Instant {
    return instantOf(millisecondsOf(this.start) + this.passed);
  }

  monotonic(): number {
    return this.passed;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.after(milliseconds, end);
      signal?.addEventListener('abort', end);
    });
  }

  /** As long as it may be. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.sleep(milliseconds, signal);
  }

  after(milliseconds: number, callback: () => void): Cancel {
    return this.add({ at: this.passed + milliseconds, every: null, callback });
  }

  every(milliseconds: number, callback: () => void): Cancel {
    return this.add({ at: this.passed + milliseconds, every: milliseconds, callback });
  }

  /** Lets time pass: timers run in their order, each at its time. */
  advance(milliseconds: number): void {
    const end = this.passed + milliseconds;
    for (let next = this.dueBy(end); next; next = this.dueBy(end)) {
      this.passed = next.at;
      if (next.every === null) this.timers.delete(next);
      else next.at += next.every;
      next.callback();
    }
    this.passed = end;
  }

  private add(timer: Timer): Cancel {
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  private dueBy(end: number): Timer | undefined {
    return [...this.timers].sort((one, other) => one.at - other.at).find(({ at }) => at <= end);
  }
}
