import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { type ListPage, listPage, ReadModels } from '#read-models';
import { type AgentListItem, agentsProjection } from './agents.projection.js';

/** The travellers who ever let an agent in, those of the latest consent first: for auditors, since it spans travellers. */
export class ListTravellers extends Query<ListPage<AgentListItem>> {
  constructor(
    readonly clientId: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListTravellers)
export class ListTravellersHandler implements IQueryHandler<ListTravellers> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  execute({ clientId, page }: ListTravellers) {
    return listPage<AgentListItem>(this.store, this.readModels.collectionOf(agentsProjection), {
      where: [{ field: 'clientId', equals: clientId }],
      sort: { field: 'authorizedAt', direction: 'descending' },
      ...page,
    });
  }
}
