import type { ReadModelStore } from '#documents';
import type { Clock } from '#kernel';

/** Each process that runs open checkouts of the list, once, whatever their number. */
export const runnersIn = async (store: ReadModelStore, collection: string): Promise<readonly string[]> => {
  const runners: string[] = [];
  for (let atLeast = ''; ;) {
    const [next] = await store.find<{ readonly runner: string }>(collection, {
      where: [{ field: 'runner', atLeast }],
      sort: { field: 'runner', direction: 'ascending' },
      limit: 1,
    });
    if (!next) return runners;
    runners.push(next.body.runner);
    atLeast = `${next.body.runner} `; // none of them begins with another
  }
};

/** Longest wait (ms) before another try. */
const LONGEST = 60_000;

/** Remembers what failed of one list and when another try makes sense: after 1 s, 2 s, 4 s and so on, up to a minute. */
export class BackOff {
  private readonly failed = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  isDue(id: string): boolean {
    return (this.failed.get(id)?.until ?? 0) <= this.clock.monotonic();
  }

  fail(id: string): void {
    const failures = (this.failed.get(id)?.failures ?? 0) + 1;
    const until = this.clock.monotonic() + Math.min(LONGEST, 1_000 * 2 ** (failures - 1));
    this.failed.set(id, { failures, until });
  }

  forget(id: string): void {
    this.failed.delete(id);
  }

  /** Notes what the list still has: the rest was done by somebody else, and what comes back under such an id is new. */
  keepOnly(listed: ReadonlySet<string>): void {
    for (const id of this.failed.keys()) if (!listed.has(id)) this.failed.delete(id);
  }
}
