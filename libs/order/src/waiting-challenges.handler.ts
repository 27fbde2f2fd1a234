import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { ReadModels } from '#read-models';
import { GetChallenge } from './get-challenge.query.js';
import { type OrderListItem, ordersProjection } from './orders.projection.js';
import { WaitingChallenges } from './waiting-challenges.query.js';

/** Pending orders looked at: a holder has few, since few challenges may wait at once (docs/consistency.md, rule 10). */
const AT_MOST = 100;

/** The read model only hints at the orders; how each challenge stands, its stream and the ledger say. */
@QueryHandler(WaitingChallenges)
export class WaitingChallengesHandler implements IQueryHandler<WaitingChallenges> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly queries: QueryBus,
  ) {}

  async execute({ holder }: WaitingChallenges) {
    const pending = await this.store.find<OrderListItem>(this.readModels.collectionOf(ordersProjection), {
      where: [
        { field: 'holder', equals: holder },
        { field: 'kind', equals: 'pending' },
      ],
      sort: { field: 'placedAt', direction: 'descending' },
      limit: AT_MOST,
    });
    const challenged = pending.filter(({ body }) => body.kind === 'pending' && body.challenge !== null);
    const challenges = await Promise.all(
      challenged.map(({ id }) => this.queries.execute(new GetChallenge(id, holder))),
    );
    return challenges.filter(({ status }) => status === 'waiting');
  }
}
