import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates, chained, EventStore, type Position, type StoredEvent } from '#event-store';
import type { MandateEvent } from '#events';
import type { ErrorCode, Instant, Money } from '#kernel';
import { decodeCursor, encodeCursor, type ListPage } from '#read-models';
import { FIRST_HASH, TransparencyLog } from '#transparency';
import { mandateDecider, mandates } from '../mandate.decider.js';
import { type GrantedMandate, type Mandate, remainingOf } from '../mandate.state.js';
import type { Refused } from '../refusal-words.js';
import { loadMandate } from './get-mandate.js';

/** One event of a mandate. `orderId`, `amount`, `reason` and `refused` are null where the event has none. */
export interface StatementLine {
  readonly revision: number;
  readonly type: MandateEvent['type'];
  readonly occurredAt: Instant;
  /** The agent that acted; null: the system. */
  readonly clientId: string | null;
  readonly orderId: string | null;
  readonly amount: Money | null;
  /** What was left after the event. */
  readonly remaining: Money;
  readonly reason: ErrorCode | null;
  /** What a mandate refused, where it did. */
  readonly refused: Refused | null;
  /** Hex SHA-256 that chains the event to the one before it, and that one's; of the first, 64 zeros (rule 27). */
  readonly hash: string;
  readonly previousHash: string;
  /** Its place in the transparency log; null for the second or so until it is sealed. */
  readonly logIndex: number | null;
}

/** What happened to a mandate, oldest first. */
export class MandateStatement extends Query<ListPage<StatementLine>> {
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
    private readonly log: TransparencyLog,
  ) {}

  async execute({ mandateId, holder, page: { limit, cursor } }: MandateStatement) {
    await loadMandate(this.aggregates, mandateId, holder);
    const list = { statementOf: mandateId };
    const from = cursor === undefined ? 0 : Number(decodeCursor(list, cursor).value) + 1;
    const lines: HistoryLine[] = [];
    const positions: Position[] = [];
    let count = 0;
    for await (const { line, position } of linesOf(mandateId, this.events)) {
      count += 1;
      if (!line || line.revision < from || lines.length >= limit) continue;
      lines.push(line);
      positions.push(position);
    }
    const indexes = await this.log.indexesOf(positions);
    const last = lines.at(-1);
    const nextCursor =
      last && last.revision < count - 1 ? encodeCursor(list, { value: last.revision, id: mandateId }) : null;
    const items = lines.map((line, place) => ({ ...line, logIndex: indexes[place] ?? null }));
    return { count, items, nextCursor };
  }
}

/** An event of a mandate, wherever it is in the transparency log. */
export type HistoryLine = Omit<StatementLine, 'logIndex'>;

/** Every event of a mandate, oldest first, with its place in the log; `line` is null where nothing was granted. */
export async function* linesOf(
  mandateId: string,
  events: EventStore,
): AsyncGenerator<{ readonly line: HistoryLine | null; readonly position: Position }> {
  let mandate: Mandate = mandateDecider.initialState();
  let previousHash = FIRST_HASH;
  const stream = mandates.streamOf(mandateId);
  for await (const stored of chained(stream, events.readStream(stream))) {
    const event = mandates.decode(stored);
    mandate = mandateDecider.evolve(mandate, event);
    const line = mandate.kind === 'granted' ? lineOf(stored, event, mandate, previousHash) : null;
    yield { line, position: stored.position };
    previousHash = stored.metadata.hash;
  }
}

const lineOf = (
  { revision, metadata }: StoredEvent,
  { type, data }: MandateEvent,
  after: GrantedMandate,
  previousHash: string,
): HistoryLine => ({
  revision,
  type,
  occurredAt: metadata.occurredAt,
  clientId: metadata.actor.clientId,
  orderId: 'orderId' in data ? data.orderId : null,
  amount: 'amount' in data ? data.amount : 'limit' in data ? data.limit : null,
  remaining: remainingOf(after),
  reason: 'reason' in data ? data.reason : null,
  refused: 'reason' in data ? data : null,
  hash: metadata.hash,
  previousHash,
});
