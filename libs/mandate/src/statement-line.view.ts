import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { MandateEvent } from '#events';
import type { StoredEvent } from '#event-store';
import { MoneyView } from '#http';
import type { ErrorCode } from '#kernel';
import { type Mandate, remainingOf } from './mandate.state.js';

/** One event of a mandate as its holder sees it (docs/decisions.md, Mandate). */
@ApiSchema({ name: 'MandateEvent' })
export class StatementLineView {
  @ApiProperty({ type: 'integer', description: 'Lugar do evento no mandato; o primeiro é 0.', example: 0 })
  readonly revision: number;

  @ApiProperty({ example: 'MandateReserved' })
  readonly type: string;

  @ApiProperty({ format: 'date-time' })
  readonly occurredAt: string;

  @ApiProperty({ type: String, nullable: true, description: 'O agente que agiu; null: o próprio sistema.' })
  readonly clientId: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  readonly orderId: string | null;

  @ApiProperty({ type: MoneyView, nullable: true })
  readonly amount: MoneyView | null;

  @ApiProperty({ type: MoneyView, description: 'Disponível depois do evento.' })
  readonly remaining: MoneyView;

  @ApiProperty({ type: String, nullable: true, description: 'Por que uma cobrança foi recusada.' })
  readonly reason: ErrorCode | null;
}

/** An event of a mandate's stream, and the mandate as it stood after it. */
export const statementLineView = (
  { revision, metadata }: StoredEvent,
  event: MandateEvent,
  after: Extract<Mandate, { kind: 'granted' }>,
): StatementLineView => {
  const { data } = event;
  return {
    revision,
    type: event.type,
    occurredAt: metadata.occurredAt,
    clientId: metadata.actor.clientId,
    orderId: 'orderId' in data ? data.orderId : null,
    amount: 'amount' in data ? data.amount : 'limit' in data ? data.limit : null,
    remaining: remainingOf(after),
    reason: 'reason' in data ? data.reason : null,
  };
};
