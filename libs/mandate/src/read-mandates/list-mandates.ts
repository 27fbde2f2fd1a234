import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Condition, ReadModelStore } from '#documents';
import { Clock, type Instant, plus } from '#kernel';
import { type ListPage, listPage, type Period, ReadModels, within } from '#read-models';
import type { GrantedMandate, MandateStatus } from '../mandate.state.js';
import { type MandateListItem, mandatesProjection } from './mandates.projection.js';

/** A page of mandates and the instant of the answer. */
export interface MandatesAt extends ListPage<GrantedMandate> {
  readonly at: Instant;
}

/**
 * The holder's mandates, whatever agent they are bound to, newest first. `status` undefined: all of them; `open`: those
 * that may be charged, or will be once they are resumed. `created`: only those whose validity began then.
 */
export class ListMandates extends Query<MandatesAt> {
  constructor(
    readonly holder: string,
    readonly status: MandateStatus | 'open' | undefined,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly created: Period = {},
  ) {
    super();
  }
}

@QueryHandler(ListMandates)
export class ListMandatesHandler implements IQueryHandler<ListMandates> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute({ holder, status, page, created }: ListMandates): Promise<MandatesAt> {
    const at = this.clock.now();
    const found = await listPage<MandateListItem>(this.store, this.readModels.collectionOf(mandatesProjection), {
      where: [{ field: 'holder', equals: holder }, ...within('startsAt', created)],
      ...(status && { anyOf: havingStatus(status, at) }),
      boundTo: { holder, status, ...created },
      sort: { field: 'startsAt', direction: 'descending' },
      ...page,
    });
    return { ...found, at };
  }
}

/** The phases that time alone ends. */
const RUNNING = ['open', 'pending', 'exhausted', 'paused'] as const;

/** What a document of this status looks like now: what the events say, and what time has made of it. */
const havingStatus = (status: MandateStatus | 'open', now: Instant): readonly (readonly Condition[])[] => {
  const phase = (equals: MandateListItem['phase']): Condition => ({ field: 'phase', equals });
  const lapsed: Condition = { field: 'expiresAt', below: plus(now, 1) };
  const running: Condition = { field: 'expiresAt', atLeast: plus(now, 1) };
  switch (status) {
    case 'revoked':
      return [[phase('revoked')]];
    case 'expired':
      return [[phase('expired')], ...RUNNING.map((one) => [phase(one), lapsed])];
    case 'pending':
    case 'paused':
      return [[phase(status), running]];
    case 'exhausted':
      return [[phase('exhausted'), running]];
    case 'valid':
      return [[phase('open'), running]];
    case 'open':
      return [
        [phase('open'), running],
        [phase('paused'), running],
      ];
  }
};
