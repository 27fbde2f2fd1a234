import { Module } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Buses } from '#http';
import type { Party } from '#kernel';
import { AttachedMetadata } from './attached-metadata.js';
import type { Metadata } from './metadata.js';

/** What an agent noted on these things, by id. */
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

@Module({ providers: [ReadMetadataHandler] })
export class MetadataModule {}
