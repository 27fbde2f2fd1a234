import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates, EventStore } from '#event-store';
import { decodeCursor, encodeCursor, type ListPage } from '#read-models';
import { mandateDecider, mandates } from '../mandate.decider.js';
import type { Mandate } from '../mandate.state.js';
import { type StatementLineView, statementLineView } from '../statement-line.view.js';
import { loadMandate } from './get-mandate.js';

/** What happened to a mandate, oldest first. */
export class MandateStatement extends Query<ListPage<StatementLineView>> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

/** Replays the mandate's own stream: what an auditor sees, its holder sees. */
@QueryHandler(MandateStatement)
export class MandateStatementHandler implements IQueryHandler<MandateStatement> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly events: EventStore,
  ) {}

  async execute({ mandateId, holder, page: { limit, cursor } }: MandateStatement) {
    await loadMandate(this.aggregates, mandateId, holder);
    const list = { statementOf: mandateId };
    const from = cursor === undefined ? 0 : Number(decodeCursor(list, cursor).value) + 1;
    const lines: StatementLineView[] = [];
    let mandate: Mandate = mandateDecider.initialState();
    let count = 0;
    for await (const stored of this.events.readStream(mandates.streamOf(mandateId))) {
      const event = mandates.decode(stored);
      mandate = mandateDecider.evolve(mandate, event);
      count += 1;
      const isWanted = stored.revision >= from && lines.length < limit;
      if (isWanted && mandate.kind === 'granted') lines.push(statementLineView(stored, event, mandate));
    }
    const last = lines.at(-1);
    const nextCursor =
      last && last.revision < count - 1 ? encodeCursor(list, { value: last.revision, id: mandateId }) : null;
    return { count, items: lines, nextCursor };
  }
}
