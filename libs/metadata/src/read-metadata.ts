import { Module } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Buses } from '#http';
import type { Party } from '#kernel';
import { AttachedMetadata } from './attached-metadata.js';
import type { Metadata } from './metadata.js';

/** What an agent noted on these things, by id; on the first of them, where it is too much for one answer. */
export class ReadMetadata extends Query<ReadonlyMap<string, Metadata>> {
  constructor(
    readonly ids: readonly string[],
    readonly party: Party,
  ) {
    super();
  }
}

@QueryHandler(ReadMetadata)
export class ReadMetadataHandler implements IQueryHandler<ReadMetadata> {
  constructor(private readonly attached: AttachedMetadata) {}

  execute({ ids, party }: ReadMetadata): Promise<ReadonlyMap<string, Metadata>> {
    return this.attached.of(ids, party);
  }
}

/** What an agent noted on one thing. */
export const metadataOf = async (queries: Buses['queries'], id: string, party: Party): Promise<Metadata> =>
  (await queries.execute(new ReadMetadata([id], party))).get(id) ?? {};

/** How a list is read: so many things of it at most. */
interface ListToRead<Item, Page> {
  readonly party: Party;
  readonly limit: number;
  readonly read: (limit: number) => Promise<Page & { readonly items: readonly Item[] }>;
  readonly idOf: (item: Item) => string;
}

/**
 * A page of a list, and what the agent noted on its things. Where that is too much for one answer the page has fewer things
 * than `limit`, and its cursor goes on after the last of them.
 */
export const pageWithMetadata = async <Item, Page extends { readonly items: readonly Item[] }>(
  queries: Buses['queries'],
  list: ListToRead<Item, Page>,
): Promise<{ readonly page: Page; readonly metadata: ReadonlyMap<string, Metadata> }> => {
  const page = await list.read(list.limit);
  const metadata = await queries.execute(new ReadMetadata(page.items.map(list.idOf), list.party));
  const fitting = metadata.size;
  return fitting < page.items.length ? pageWithMetadata(queries, { ...list, limit: fitting }) : { page, metadata };
};

@Module({ providers: [ReadMetadataHandler] })
export class MetadataModule {}
