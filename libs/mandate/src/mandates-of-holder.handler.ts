import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { listPage, ReadModels } from '#read-models';
import { MandatesOfHolder } from './mandates-of-holder.query.js';
import { type MandateListItem, mandatesProjection } from './read-mandates/mandates.projection.js';

@QueryHandler(MandatesOfHolder)
export class MandatesOfHolderHandler implements IQueryHandler<MandatesOfHolder> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  execute({ holder, page }: MandatesOfHolder) {
    return listPage<MandateListItem>(this.store, this.readModels.collectionOf(mandatesProjection), {
      where: [{ field: 'holder', equals: holder }],
      sort: { field: 'startsAt', direction: 'descending' },
      ...page,
    });
  }
}
