import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { decodeCursor, encodeCursor } from '#read-models';
import { loadMandate } from './get-mandate.js';
import { type HistoryEntry, MandateLines } from './mandate-lines.js';

/** Some of what happened to a mandate, the newest first, with all of an order in one place: where its last event is. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** null: there is nothing older. */
  readonly nextCursor: string | null;
}

/** A mandate's statement as its holder reads it. @throws DomainError `mandate_not_found`, `mandate_forbidden`, `invalid_cursor` */
export class MandateHistory extends Query<HistoryPage> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(MandateHistory)
export class MandateHistoryHandler implements IQueryHandler<MandateHistory> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly lines: MandateLines,
  ) {}

  async execute({ mandateId, holder, page: { limit, cursor } }: MandateHistory): Promise<HistoryPage> {
    await loadMandate(this.aggregates, mandateId, holder);
    const list = { historyOf: mandateId };
    const before = cursor === undefined ? Infinity : Number(decodeCursor(list, cursor).value);
    const { entries, isAll } = await this.lines.byOrder(mandateId, before, limit);
    const last = entries.at(-1);
    const nextCursor = last && !isAll ? encodeCursor(list, { value: last[0].revision, id: mandateId }) : null;
    return { entries, nextCursor };
  }
}
