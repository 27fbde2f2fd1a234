import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { listOf, MoneyView } from '#http';
import type { ErrorCode } from '#kernel';
import type { StatementLine } from './read-mandates/mandate-statement.js';

/** One event of a mandate as its holder sees it (docs/decisions.md, Mandate). */
@ApiSchema({ name: 'MandateEvent' })
export class StatementLineView implements StatementLine {
  @ApiProperty({ type: 'integer', description: 'Lugar do evento no mandato; o primeiro é 0.', example: 0 })
  readonly revision: number;

  @ApiProperty({ type: String, example: 'MandateReserved' })
  readonly type: StatementLine['type'];

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

  @ApiProperty({ type: String, pattern: '^[0-9a-f]{64}$', description: 'SHA-256 que encadeia o evento ao anterior.' })
  readonly hash: string;

  @ApiProperty({
    type: String,
    pattern: '^[0-9a-f]{64}$',
    description: 'O hash do evento anterior deste mandato; do primeiro, 64 zeros.',
  })
  readonly previousHash: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Lugar do evento no registro de transparência ({site_url}/tlog); null por cerca de um segundo.',
  })
  readonly logIndex: number | null;
}

/** One page of a mandate's events. */
export const StatementListView = listOf(StatementLineView, 'MandateEventList');
