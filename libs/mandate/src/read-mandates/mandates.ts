import { Injectable } from '@nestjs/common';
import type { Delegation } from '../delegation/delegation.state.js';
import { type Condition, ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, type DomainError, type Instant, type Money, plus } from '#kernel';
import { AttachedMetadata } from '#http';
import { type ListPage, listPage, type ListPart, type Period, ReadModels, within } from '#read-models';
import { TransparencyLog } from '#transparency';
import type { GrantedMandate, MandateStatus } from '../mandate.state.js';
import { type Committed, committedOf, endedUnder, type Spending, spendingOf } from './agent-spending.js';
import { createdMandate, loadMandate, type MandateAt } from './load-mandate.js';
import { type HistoryPage, historyPage, type StatementLine, statementPage } from './mandate-history.js';
import { MandateLines } from './mandate-lines.js';
import { type MandateListItem, mandatesProjection } from './mandates.projection.js';

export interface MandatesAt extends ListPage<GrantedMandate> {
  readonly at: Instant;
}

/** The mandates of a holder, for any client of theirs, and what each agent noted on its own. */
@Injectable()
export class Mandates {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly lines: MandateLines,
    private readonly log: TransparencyLog,
    readonly attached: AttachedMetadata,
  ) {}

  /** A mandate by id. @throws DomainError `mandate_not_found`, `mandate_forbidden` (another holder's) */
  async get(mandateId: string, holder: string): Promise<MandateAt> {
    return { mandate: await loadMandate(this.aggregates, mandateId, holder), at: this.clock.now() };
  }

  created(mandateId: string): Promise<MandateAt | DomainError | null> {
    return createdMandate(this.aggregates, this.clock, mandateId);
  }

  /** The newest first. `status` `open`: what may be charged, or will be once resumed; `ended`: revoked, over or used up. @throws DomainError `invalid_cursor` */
  async list(
    holder: string,
    status: MandateStatus | 'open' | 'ended' | undefined,
    page: ListPart,
    created: Period = {},
  ): Promise<MandatesAt> {
    const at = this.clock.now();
    const found = await listPage<MandateListItem>(this.store, await this.readModels.upToDate(mandatesProjection), {
      where: [{ field: 'holder', equals: holder }, ...within('startsAt', created)],
      ...(status && { anyOf: havingStatus(status, at) }),
      boundTo: { holder, status, ...created },
      sort: { field: 'startsAt', direction: 'descending' },
      ...page,
    });
    return { ...found, at };
  }

  /** What happened, oldest first. @throws DomainError `mandate_not_found`, `mandate_forbidden`, `invalid_cursor` */
  statement(mandateId: string, holder: string, page: ListPart): Promise<ListPage<StatementLine>> {
    const { aggregates, lines, log } = this;
    return statementPage({ aggregates, lines, log }, { mandateId, holder }, page);
  }

  /** The same by order, the newest first. @throws DomainError `mandate_not_found`, `mandate_forbidden`, `invalid_cursor` */
  history(mandateId: string, holder: string, page: ListPart): Promise<HistoryPage> {
    const { aggregates, lines } = this;
    return historyPage({ aggregates, lines }, { mandateId, holder }, page);
  }

  /** What a holder's agents may still charge, as the lists have it: of the mandates in force and of those that are paused. */
  async committed(holder: string): Promise<Committed> {
    const collection = await this.readModels.upToDate(mandatesProjection);
    return committedOf(this.store, collection, { holder, now: this.clock.now() });
  }

  spending(delegation: Delegation): Promise<Spending> {
    return spendingOf(this.aggregates, delegation, 'BRL');
  }

  /** The limits of the mandates that this cap would end, for a page to show before it is set. */
  endedUnder(delegation: Delegation, cap: Money | null): Promise<readonly Money[]> {
    return endedUnder(this.aggregates, delegation, cap);
  }
}

/** The phases that time alone ends. */
const RUNNING = ['open', 'pending', 'exhausted', 'paused'] as const;

/** What a document of this status looks like now: what the events say, and what time has made of it. */
const havingStatus = (status: MandateStatus | 'open' | 'ended', now: Instant): readonly (readonly Condition[])[] => {
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
    case 'ended':
      return [
        ...[[phase('revoked')], [phase('expired')], [phase('exhausted')]],
        ...(['open', 'pending', 'paused'] as const).map((one) => [phase(one), lapsed]),
      ];
  }
};

/** Mandates by id as the list has them: never wrong about what cannot change back, terms, what was consumed, and an end. */
export const listedMandates = async (
  store: ReadModelStore,
  readModels: ReadModels,
  mandateIds: readonly string[],
): Promise<ReadonlyMap<string, MandateListItem>> => {
  if (!readModels.isBuilt(mandatesProjection)) return new Map();
  const found = await store.getGuarded(readModels.collectionOf(mandatesProjection), mandateIds);
  // The projection alone writes this collection.
  return new Map(found.flatMap(({ id, body }) => (body ? [[id, body as MandateListItem]] : [])));
};
