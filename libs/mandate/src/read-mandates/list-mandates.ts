import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { capOf, delegations } from '#delegation';
import { type Condition, ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { Clock, type Instant, plus } from '#kernel';
import { listPage, ReadModels } from '#read-models';
import type { MandateStatus } from '../mandate.state.js';
import { type MandateListView, mandateView } from '../mandate.view.js';
import { type MandateListItem, mandatesProjection } from './mandates.projection.js';

/**
 * The holder's mandates of every client, newest first, with the cap of the client that asks. `status` undefined: all of
 * them.
 */
export class ListMandates extends Query<MandateListView> {
  constructor(
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly status: MandateStatus | undefined,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly urls: BaseUrls,
  ) {
    super();
  }
}

@QueryHandler(ListMandates)
export class ListMandatesHandler implements IQueryHandler<ListMandates> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ party, status, page, urls }: ListMandates) {
    const { holder, clientId } = party;
    const now = this.clock.now();
    const { items, ...rest } = await listPage<MandateListItem>(
      this.store,
      this.readModels.collectionOf(mandatesProjection),
      {
        where: [{ field: 'holder', equals: holder }],
        ...(status && { anyOf: havingStatus(status, now) }),
        boundTo: { holder, status },
        sort: { field: 'startsAt', direction: 'descending' },
        ...page,
      },
    );
    // A decision reads streams, and so does what an agent decides by.
    const delegation = await this.aggregates.load(delegations, { holder, clientId });
    return { ...rest, items: items.map((item) => mandateView(item, now, urls)), cap: capOf(delegation.state) };
  }
}

/** What a document of this status looks like now: what the events say, and what time has made of it. */
const havingStatus = (status: MandateStatus, now: Instant): readonly (readonly Condition[])[] => {
  const phase = (equals: MandateListItem['phase']): Condition => ({ field: 'phase', equals });
  const lapsed: Condition = { field: 'expiresAt', below: plus(now, 1) };
  const running: Condition = { field: 'expiresAt', atLeast: plus(now, 1) };
  switch (status) {
    case 'revoked':
      return [[phase('revoked')]];
    case 'expired':
      return [[phase('expired')], [phase('open'), lapsed], [phase('exhausted'), lapsed]];
    case 'exhausted':
      return [[phase('exhausted'), running]];
    case 'valid':
      return [[phase('open'), running]];
  }
};
