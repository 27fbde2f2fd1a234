import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { ReadModels } from '#read-models';
import { isChallenged } from '../order.decider.js';
import { type OrderListItem, ordersProjection } from '../orders/orders.projection.js';
import { type ChallengeDetails, GetChallenge } from './get-challenge.js';

/** The challenges that wait for a holder's decision now, the newest first. */
export class WaitingChallenges extends Query<readonly ChallengeDetails[]> {
  constructor(readonly holder: string) {
    super();
  }
}

/** Pending orders looked at: a holder has few, since few challenges may wait at once (docs/consistency.md, rule 10). */
const AT_MOST = 100;

/** The read model only hints at the orders; the stream and the ledger say how each challenge stands. */
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
    const challenged = pending.filter(({ body }) => isChallenged(body));
    const challenges = await Promise.all(
      challenged.map(({ id }) => this.queries.execute(new GetChallenge(id, holder))),
    );
    return challenges.filter(({ status }) => status === 'waiting');
  }
}
