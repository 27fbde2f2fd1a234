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
    const { entries, isAll } = await newestEntries(linesOf(mandateId, this.events), { limit, before });
    const last = entries.at(-1);
    const nextCursor = last && !isAll ? encodeCursor(list, { value: last[0].revision, id: mandateId }) : null;
    return { entries, nextCursor };
  }
}

/**
 * The newest entries before a revision, of the lines of a mandate, oldest first; `isAll`: there are no older ones.
 */
export const newestEntries = async (
  lines: AsyncIterable<{ readonly line: HistoryLine | null }> | Iterable<{ readonly line: HistoryLine | null }>,
  { limit, before }: { readonly limit: number; readonly before: number },
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly isAll: boolean }> => {
  const newest = new NewestEntries(limit);
  for await (const { line } of lines) if (line) newest.take(line, line.revision < before);
  return newest.page();
};

/** Whether nothing more is going to happen to the order of this event, if it is of any. */
const isLast = ({ orderId, type }: HistoryLine): boolean =>
  orderId === null || type === 'MandateConsumed' || type === 'MandateReleased';

/**
 * The entries with the newest events, of events that come oldest first. It holds few more of them than a page shows: of
 * the settled ones no others can come before them, and of those that are not settled there are few at any time.
 */
class NewestEntries {
  /** In the order of their last events. */
  private readonly entries = new Map<string, HistoryEntry>();
  private settled = 0;
  private hasDropped = false;

  constructor(private readonly limit: number) {}

  /** `isWanted`: it belongs to this page or an older one. What came before it stands where the order's last event does. */
  take(line: HistoryLine, isWanted: boolean): void {
    const key = line.orderId ?? String(line.revision);
    const known = this.entries.get(key);
    if (known && isLast(known[0])) this.settled -= 1;
    this.entries.delete(key);
    if (!isWanted) return;
    this.entries.set(key, [line, ...(known ?? [])]);
    if (!isLast(line)) return;
    this.settled += 1;
    if (this.settled > this.limit + 1) this.dropOldest();
  }

  page(): { readonly entries: readonly HistoryEntry[]; readonly isAll: boolean } {
    const all = [...this.entries.values()].toReversed();
    return { entries: all.slice(0, this.limit), isAll: !this.hasDropped && all.length <= this.limit };
  }

  private dropOldest(): void {
    for (const [key, [last]] of this.entries) {
      if (!isLast(last)) continue;
      this.entries.delete(key);
      this.settled -= 1;
      this.hasDropped = true;
      return;
    }
  }
}
