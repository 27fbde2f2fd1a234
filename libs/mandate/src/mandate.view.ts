import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Constraints } from '#events';
import { type BaseUrls, HasMetadata, ListView, type Metadata, MoneyView } from '#http';
import { MANDATE_SCOPES, millisecondsOf, type Scope } from '#kernel';
import {
  type Grantor,
  GRANTORS,
  MANDATE_STATUSES,
  type MandateStatus,
  remainingOf,
  reservedOf,
  statusOf,
} from './mandate.state.js';
import type { MandateAt } from './read-mandates/load-mandate.js';
import type { MandatesAt } from './read-mandates/mandates.js';

@ApiSchema({ name: 'MandateDuration' })
export class DurationView {
  @ApiProperty({ type: 'integer', example: 60 })
  readonly minutes: number;

  @ApiProperty({ format: 'date-time' })
  readonly startsAt: string;

  @ApiProperty({ format: 'date-time' })
  readonly expiresAt: string;

  @ApiProperty({ type: 'integer', description: 'Segundos até o fim da validade; 0 depois dela.', example: 3540 })
  readonly remainingSeconds: number;
}

@ApiSchema({ name: 'MandateRevocation' })
export class RevocationView {
  @ApiProperty({ enum: ['DELETE'] })
  readonly method: 'DELETE';

  @ApiProperty({ description: 'Relativo à base da API.', example: '/mandates/2f1c…' })
  readonly path: string;

  @ApiProperty({ format: 'uri' })
  readonly url: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly revokedAt: string | null;
}

@ApiSchema({ name: 'MandateOrderTotal' })
export class OrderTotalView {
  @ApiPropertyOptional({ type: MoneyView, description: 'No mínimo.' })
  readonly min?: MoneyView | undefined;

  @ApiProperty({ type: MoneyView, description: 'No máximo.' })
  readonly max: MoneyView;
}

/** What a mandate may be spent on, beside its ceiling; a member that is absent restricts nothing. */
@ApiSchema({ name: 'MandateConstraints' })
export class ConstraintsView implements Constraints {
  @ApiPropertyOptional({ type: [String], description: 'Aeroportos de partida.', example: ['GRU'] })
  readonly from?: readonly string[] | undefined;

  @ApiPropertyOptional({ type: [String], description: 'Aeroportos de chegada.', example: ['REC'] })
  readonly to?: readonly string[] | undefined;

  @ApiPropertyOptional({ type: MoneyView, description: 'Preço de um assento, no máximo.' })
  readonly maxPricePerSeat?: MoneyView | undefined;

  @ApiPropertyOptional({ type: 'integer', description: 'Pedidos pagos ou em andamento, no máximo.' })
  readonly maxOrders?: number | undefined;

  @ApiPropertyOptional({ type: OrderTotalView, description: 'Total de cada pedido, com taxas.' })
  readonly orderTotal?: OrderTotalView | undefined;
}

@ApiSchema({ name: 'MandateApproval' })
export class ApprovalView {
  @ApiProperty({ format: 'uri', description: 'A página em que o viajante decide.' })
  readonly url: string;

  @ApiProperty({ format: 'date-time', description: 'Até quando ele pode decidir.' })
  readonly expiresAt: string;

  @ApiProperty({ type: 'integer', description: 'Intervalo, em segundos, para perguntar de novo.', example: 5 })
  readonly pollAfterSeconds: number;
}

/** How often (s) an agent may ask whether the traveller has decided. */
export const POLL_AFTER_SECONDS = 5;

/** A mandate as the interface shows it; `limit = consumed + reserved + remaining`, always (docs/interface.md, Mandate). */
@ApiSchema({ name: 'Mandate' })
export class MandateView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: MANDATE_STATUSES })
  readonly status: MandateStatus;

  @ApiProperty({ enum: MANDATE_SCOPES, isArray: true, example: ['order:write', 'payment:execute'] })
  readonly scope: readonly Scope[];

  @ApiProperty({ type: MoneyView, description: 'Teto de gasto.' })
  readonly limit: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'Já cobrado, menos o que foi devolvido.' })
  readonly consumed: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'Devolvido de pedidos cancelados; pode ser gasto de novo.' })
  readonly refunded: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'Separado para pedidos em andamento.' })
  readonly reserved: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'Ainda disponível.' })
  readonly remaining: MoneyView;

  @ApiProperty({ type: ConstraintsView, description: 'O que mais o mandato exige de uma compra; vazio: nada.' })
  readonly constraints: ConstraintsView;

  @ApiProperty({
    enum: GRANTORS,
    description: 'Quem decide abri-lo: o viajante (em `pending`, ainda vai decidir) ou, dentro do limite, o agente.',
  })
  readonly grantedBy: Grantor;

  @ApiProperty({ type: DurationView })
  readonly duration: DurationView;

  @ApiProperty({ type: RevocationView })
  readonly revocation: RevocationView;

  @ApiPropertyOptional({ type: ApprovalView, description: 'Só enquanto espera a decisão do viajante.' })
  readonly approval?: ApprovalView;

  @HasMetadata()
  readonly metadata: Metadata;
}

export const mandateView = ({ mandate, at }: MandateAt, urls: BaseUrls, metadata: Metadata = {}): MandateView => {
  const { mandateId: id, limit, minutes, startsAt, expiresAt, revokedAt } = mandate;
  const path = `/mandates/${id}`;
  const status = statusOf(mandate, at);
  const approval = {
    url: `${urls.site}/conta/mandatos/${id}/decidir`,
    expiresAt,
    pollAfterSeconds: POLL_AFTER_SECONDS,
  };
  const remainingSeconds = Math.max(0, Math.floor((millisecondsOf(expiresAt) - millisecondsOf(at)) / 1000));
  return {
    id,
    status,
    scope: mandate.scope,
    limit,
    consumed: { amount: mandate.consumed, currency: limit.currency },
    refunded: { amount: mandate.refunded, currency: limit.currency },
    reserved: reservedOf(mandate),
    remaining: remainingOf(mandate),
    constraints: mandate.constraints,
    grantedBy: mandate.grantedBy,
    duration: { minutes, startsAt, expiresAt, remainingSeconds },
    revocation: { method: 'DELETE', path, url: urls.base + path, revokedAt },
    ...(status === 'pending' && { approval }),
    metadata,
  };
};

/** What the traveller lets this agent spend in all, and how much of it is used (docs/decisions.md, Mandate). */
@ApiSchema({ name: 'Cap' })
export class CapView {
  @ApiProperty({ type: MoneyView, description: 'Limite total que o viajante definiu para este agente.' })
  readonly limit: MoneyView;

  @ApiProperty({
    type: MoneyView,
    description: 'Inclui os mandatos abertos e o que já foi gasto desde que o viajante definiu o primeiro limite.',
  })
  readonly used: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'Quanto ainda cabe em novos mandatos.' })
  readonly available: MoneyView;
}

@ApiSchema({ name: 'MandateList' })
export class MandateListView extends ListView {
  @ApiProperty({ type: [MandateView], description: 'Uma página dos itens.' })
  readonly items: readonly MandateView[];

  @ApiProperty({ type: CapView, nullable: true, description: 'Limite do agente que pergunta; null: não há.' })
  readonly cap: CapView | null;
}

export const mandateListView = (
  { at, items, ...page }: MandatesAt,
  cap: CapView | null,
  urls: BaseUrls,
  metadata: ReadonlyMap<string, Metadata>,
): MandateListView => ({
  ...page,
  items: items.map((mandate) => mandateView({ mandate, at }, urls, metadata.get(mandate.mandateId))),
  cap,
});
