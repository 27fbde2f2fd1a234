import type { Document, ReadModelStore } from '#documents';
import type { Instant } from '#kernel';

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
