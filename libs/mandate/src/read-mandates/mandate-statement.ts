import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { decodeCursor, encodeCursor, type ListPage } from '#read-models';
import { TransparencyLog } from '#transparency';
import { loadMandate } from './get-mandate.js';
import { type HistoryLine, MandateLines } from './mandate-lines.js';

/** One event of a mandate. */
export interface StatementLine extends HistoryLine {
  /** Its place in the transparency log; null for the second or so until it is sealed. */
  readonly logIndex: number | null;
}

/** What happened to a mandate, oldest first: what an auditor sees, its holder sees. */
export class MandateStatement extends Query<ListPage<StatementLine>> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(MandateStatement)
export class MandateStatementHandler implements IQueryHandler<MandateStatement> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly lines: MandateLines,
    private readonly log: TransparencyLog,
  ) {}

  async execute({ mandateId, holder, page: { limit, cursor } }: MandateStatement) {
    await loadMandate(this.aggregates, mandateId, holder);
    const list = { statementOf: mandateId };
    const from = cursor === undefined ? 0 : Number(decodeCursor(list, cursor).value) + 1;
    const { lines, count } = await this.lines.from(mandateId, from, limit);
    const indexes = await this.log.indexesOf(lines.map(({ position }) => position));
    const last = lines.at(-1)?.line.revision;
    const nextCursor =
      last !== undefined && last < count - 1 ? encodeCursor(list, { value: last, id: mandateId }) : null;
    const items = lines.map(({ line }, place) => ({ ...line, logIndex: indexes[place] ?? null }));
    return { count, items, nextCursor };
  }
}
