import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Condition, Document, Filter, PageEnd, Query, ReadModelStore } from '#documents';
import { canonicalJson, DomainError, type Instant } from '#kernel';

/** As far as the items of a list are counted. */
export const MOST_COUNTED = 10_000;

/** One page of a list (docs/decisions.md, Lists). `count`: all that match, not only this page. */
export interface ListPage<Item> {
  readonly count: number;
  /** Only where there are more than `count`. */
  readonly countIsExact?: false;
  readonly items: readonly Item[];
  /** Opaque; bound to the list's filters. null: this is the last page. */
  readonly nextCursor: string | null;
}

/** A span of time: from `from` on and before `to`. What is undefined does not bound it. */
export interface Period {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** That a field lies in a period: a range of the index that sorts the list by it. No condition, where nothing bounds it. */
export const within = (field: string, { from, to }: Period): readonly Condition[] =>
  from === undefined && to === undefined
    ? []
    : [{ field, ...(from !== undefined && { atLeast: from }), ...(to !== undefined && { below: to }) }];

export interface ListRequest extends Filter, Pick<Query, 'sort' | 'limit'> {
  /** The `nextCursor` of the page before. */
  readonly cursor: string | undefined;
  /** What the cursor is bound to where the conditions themselves change with the time. */
  readonly boundTo?: object;
}

export type ListPart = Pick<ListRequest, 'limit' | 'cursor'>;

/** One page of a read model's collection. @throws DomainError `invalid_cursor` */
export const listPage = async <Body extends object>(
  store: ReadModelStore,
  collection: string,
  { cursor, limit, boundTo, ...filter }: ListRequest,
): Promise<ListPage<Body & { readonly id: string }>> => {
  const list = { collection, sort: filter.sort, filter: boundTo ?? filter };
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const [counted, found] = await Promise.all([
    store.count(collection, filter, MOST_COUNTED + 1),
    store.find<Body>(collection, { ...filter, limit: limit + 1, after }),
  ]);
  const items = found.slice(0, limit).map(({ id, body }) => ({ ...body, id }));
  const last = found.length > limit ? items.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(list, { id: last.id, value: valueOf(last, filter.sort.field) }) : null;
  const isExact = counted <= MOST_COUNTED;
  const count = isExact ? { count: counted } : { count: MOST_COUNTED, countIsExact: false as const };
  return { ...count, items, nextCursor };
};

const valueOf = (item: object, field: string): PageEnd['value'] =>
  (item as Record<string, PageEnd['value']>)[field] ?? null;

const cursorSchema = z.strictObject({
  list: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  id: z.string(),
});

/** A short name of the list a cursor belongs to: what is listed, by which filters, in which order. */
const fingerprint = (list: object): string =>
  createHash('sha256').update(canonicalJson(list)).digest('base64url').slice(0, 22);

/** Where a page ended, opaque, and bound to its list. */
export const encodeCursor = (list: object, { value, id }: PageEnd): string =>
  Buffer.from(JSON.stringify({ list: fingerprint(list), value, id })).toString('base64url');

/** Where the page before ended. @throws DomainError `invalid_cursor` for what is no cursor of this list */
export const decodeCursor = (list: object, cursor: string): PageEnd => {
  try {
    const decoded = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (decoded.list === fingerprint(list)) return decoded;
  } catch {
    // Not one of ours: the same answer as for one of another list.
  }
  throw new DomainError('invalid_cursor');
};

/** How many documents are read at a time. */
const AT_ONCE = 100;

/** Every document that one of these conditions on a text matches, for each in the order of its text; read in pages. */
export async function* listed<Body extends object>(
  store: ReadModelStore,
  collection: string,
  ...conditions: readonly Condition[]
): AsyncGenerator<Document<Body>> {
  for (const condition of conditions) yield* inOrder<Body>(store, collection, condition, 'ascending');
}

/** Every document that a condition on a text matches, in the order of the text or against it; read in pages. */
export async function* inOrder<Body extends object>(
  store: ReadModelStore,
  collection: string,
  condition: Condition,
  direction: Query['sort']['direction'],
): AsyncGenerator<Document<Body>> {
  const { field } = condition;
  const query: Query = { where: [condition], sort: { field, direction }, limit: AT_ONCE };
  let page: readonly Document<Body & Readonly<Record<string, string>>>[] = [];
  do {
    const last = page.at(-1);
    const after = last && { value: last.body[field] ?? null, id: last.id };
    page = await store.find(collection, { ...query, after });
    yield* page;
  } while (page.length === AT_ONCE);
}
