import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { listOf, MoneyView } from '#http';
import type { ErrorCode } from '#kernel';
import type { ConstraintName } from './charge.rule.js';
import { ConstraintsView } from './mandate.view.js';
import type { StatementLine } from './read-mandates/mandate-history.js';
import { type Refused, refusalWords } from './refusal-words.js';

/** A charge that the mandate refused: what was to be bought, and what was in its way. Events of before know less of it. */
@ApiSchema({ name: 'MandateRefusal' })
export class RefusalView {
  @ApiProperty({ description: 'O que foi recusado e por quê, em uma frase.' })
  readonly message: string;

  @ApiPropertyOptional({ type: String, format: 'uuid' })
  readonly bookingId?: string | undefined;

  @ApiPropertyOptional({ type: String, example: 'AL1001' })
  readonly flightNumber?: string | undefined;

  @ApiPropertyOptional({ type: String, description: 'Aeroporto de partida.', example: 'GRU' })
  readonly from?: string | undefined;

  @ApiPropertyOptional({ type: String, description: 'Aeroporto de chegada.', example: 'GIG' })
  readonly to?: string | undefined;

  @ApiPropertyOptional({ type: MoneyView, description: 'Preço de um assento.' })
  readonly unitPrice?: MoneyView | undefined;

  @ApiPropertyOptional({ type: String, description: 'A condição do mandato que a compra não cumpre.', example: 'to' })
  readonly constraint?: ConstraintName | undefined;

  @ApiPropertyOptional({ type: ConstraintsView, description: 'O que essa condição permite.' })
  readonly allowed?: ConstraintsView | undefined;
}

/** One event of a mandate as its holder sees it (docs/decisions.md, Mandate). */
@ApiSchema({ name: 'MandateEvent' })
export class StatementLineView implements Omit<StatementLine, 'refused'> {
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

  @ApiProperty({
    type: RefusalView,
    nullable: true,
    description: 'A cobrança que o mandato recusou; null: outro evento.',
  })
  readonly refusal: RefusalView | null;

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

export const statementLineView = ({ refused, ...line }: StatementLine): StatementLineView => ({
  ...line,
  refusal: refused && refusalView(refused),
});

const refusalView = (refused: Refused): RefusalView => {
  const { bookingId, flightNumber, from, to, unitPrice, constraint, allowed } = refused;
  return { message: refusalWords(refused), bookingId, flightNumber, from, to, unitPrice, constraint, allowed };
};

export const StatementListView = listOf(StatementLineView, 'MandateEventList');
