import type { Clock } from '#kernel';

/** Longest wait (ms) before another try. */
const LONGEST = 60_000;

/** Remembers what failed and when another try makes sense: 1 s, 2 s, 4 s … up to a minute. */
export class BackOff {
  private readonly failed = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  /** Whether `id` may be tried now. */
  isDue(id: string): boolean {
    return (this.failed.get(id)?.until ?? 0) <= this.clock.monotonic();
  }

  /** Notes that `id` failed again; answers how often in a row. */
  fail(id: string): number {
    const failures = (this.failed.get(id)?.failures ?? 0) + 1;
    this.failed.set(id, { failures, until: this.clock.monotonic() + Math.min(LONGEST, 1_000 * 2 ** (failures - 1)) });
    return failures;
  }

  /** Notes that `id` is done. */
  forget(id: string): void {
    this.failed.delete(id);
  }
}
