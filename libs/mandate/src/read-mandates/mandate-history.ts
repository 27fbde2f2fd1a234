import type { Aggregates } from '#event-store';
import { decodeCursor, encodeCursor, type ListPage, type ListPart } from '#read-models';
import type { TransparencyLog } from '#transparency';
import { loadMandate } from './load-mandate.js';
import type { HistoryEntry, HistoryLine, MandateLines } from './mandate-lines.js';

export interface StatementLine extends HistoryLine {
  /** Its place in the transparency log; null for the second or so until it is sealed. */
  readonly logIndex: number | null;
}

interface Read {
  readonly aggregates: Aggregates;
  readonly lines: MandateLines;
}

interface Asked {
  readonly mandateId: string;
  readonly holder: string;
}

/** What happened to a mandate, oldest first. @throws DomainError `mandate_not_found`, `mandate_forbidden`, `invalid_cursor` */
export const statementPage = async (
  { aggregates, lines: mandateLines, log }: Read & { readonly log: TransparencyLog },
  { mandateId, holder }: Asked,
  { limit, cursor }: ListPart,
): Promise<ListPage<StatementLine>> => {
  await loadMandate(aggregates, mandateId, holder);
  const list = { statementOf: mandateId };
  const from = cursor === undefined ? 0 : Number(decodeCursor(list, cursor).value) + 1;
  const { lines, count } = await mandateLines.from(mandateId, from, limit);
  const indexes = await log.indexesOf(lines.map(({ position }) => position));
  const last = lines.at(-1)?.line.revision;
  const nextCursor = last !== undefined && last < count - 1 ? encodeCursor(list, { value: last, id: mandateId }) : null;
  const items = lines.map(({ line }, place) => ({ ...line, logIndex: indexes[place] ?? null }));
  return { count, items, nextCursor };
};

/** Some of what happened to a mandate, the newest first, with all of an order in one place: where its last event is. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** null: there is nothing older. */
  readonly nextCursor: string | null;
}

/** The same by order, the newest first. @throws as the statement */
export const historyPage = async (
  { aggregates, lines }: Read,
  { mandateId, holder }: Asked,
  { limit, cursor }: ListPart,
): Promise<HistoryPage> => {
  await loadMandate(aggregates, mandateId, holder);
  const list = { historyOf: mandateId };
  const before = cursor === undefined ? Infinity : Number(decodeCursor(list, cursor).value);
  const { entries, isAll } = await lines.byOrder(mandateId, before, limit);
  const last = entries.at(-1);
  const nextCursor = last && !isAll ? encodeCursor(list, { value: last[0].revision, id: mandateId }) : null;
  return { entries, nextCursor };
};
