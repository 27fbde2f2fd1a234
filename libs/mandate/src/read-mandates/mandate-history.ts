import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates, EventStore } from '#event-store';
import { decodeCursor, encodeCursor } from '#read-models';
import { loadMandate } from './get-mandate.js';
import { type HistoryLine, linesOf } from './mandate-statement.js';

/** What happened to a mandate for one order, the newest first; or one event that belongs to no order. */
export type HistoryEntry = readonly [HistoryLine, ...(readonly HistoryLine[])];

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
    private readonly events: EventStore,
  ) {}

  async execute({ mandateId, holder, page: { limit, cursor } }: MandateHistory): Promise<HistoryPage> {
    await loadMandate(this.aggregates, mandateId, holder);
    const list = { historyOf: mandateId };
    const before = cursor === undefined ? Infinity : Number(decodeCursor(list, cursor).value);
    const newest = new NewestEntries(limit);
    for await (const { line } of linesOf(mandateId, this.events)) {
      if (line) newest.take(line, line.revision < before);
    }
    const { entries, isAll } = newest.page();
    const last = entries.at(-1);
    const nextCursor = last && !isAll ? encodeCursor(list, { value: last[0].revision, id: mandateId }) : null;
    return { entries, nextCursor };
  }
}

/** The entries with the newest events, of events that come oldest first. It holds few more of them than a page shows. */
class NewestEntries {
  /** In the order of their last events. */
  private readonly entries = new Map<string, HistoryEntry>();
  private hasDropped = false;

  constructor(private readonly limit: number) {}

  /** `isWanted`: it belongs to this page, and to none of newer ones. */
  take(line: HistoryLine, isWanted: boolean): void {
    const key = line.orderId ?? String(line.revision);
    const known = this.entries.get(key) ?? [];
    this.entries.delete(key);
    // What came before stands where the order's last event does: on a newer page.
    if (!isWanted) return;
    this.entries.set(key, [line, ...known]);
    if (this.entries.size > this.limit + 1) this.dropOldest();
  }

  page(): { readonly entries: readonly HistoryEntry[]; readonly isAll: boolean } {
    const all = [...this.entries.values()].toReversed();
    return { entries: all.slice(0, this.limit), isAll: !this.hasDropped && all.length <= this.limit };
  }

  /** An order that is not settled yet may come again, and is kept: there are few. */
  private dropOldest(): void {
    for (const [key, [last]] of this.entries) {
      if (last.type === 'MandateReserved') continue;
      this.entries.delete(key);
      this.hasDropped = true;
      return;
    }
  }
}
