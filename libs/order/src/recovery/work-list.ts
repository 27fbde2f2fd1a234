import type { Document, ReadModelStore } from '#documents';
import type { Clock, Instant } from '#kernel';

const PAGE = 100;

/** The documents of a work list whose `dueAt` is before `until`, the earliest first. */
export async function* due<Body extends object>(
  store: ReadModelStore,
  collection: string,
  until: Instant,
): AsyncGenerator<Document<Body>> {
  let after: { readonly value: string; readonly id: string } | undefined;
  for (;;) {
    const page = await store.find<Body & { readonly dueAt: Instant }>(collection, {
      where: [{ field: 'dueAt', below: until }],
      sort: { field: 'dueAt', direction: 'ascending' },
      limit: PAGE,
      after,
    });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = { value: last.body.dueAt, id: last.id };
  }
}

/** Longest wait (ms) before another try. */
const LONGEST = 60_000;

/** Remembers what failed of one list and when another try makes sense: after 1 s, 2 s, 4 s and so on, up to a minute. */
export class BackOff {
  private readonly failed = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  /** Whether `id` may be tried now. */
  isDue(id: string): boolean {
    return (this.failed.get(id)?.until ?? 0) <= this.clock.monotonic();
  }

  /** Notes that `id` failed again. */
  fail(id: string): void {
    const failures = (this.failed.get(id)?.failures ?? 0) + 1;
    const until = this.clock.monotonic() + Math.min(LONGEST, 1_000 * 2 ** (failures - 1));
    this.failed.set(id, { failures, until });
  }

  /** Notes that `id` is done. */
  forget(id: string): void {
    this.failed.delete(id);
  }

  /** Notes what the list still has: the rest was done by somebody else, and what comes back under such an id is new. */
  keepOnly(listed: ReadonlySet<string>): void {
    for (const id of this.failed.keys()) if (!listed.has(id)) this.failed.delete(id);
  }
}
