import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Instant } from '#kernel';
import { CHANNELS, FUNNEL } from '../figures/names.rule.js';

const PERCENTILE = 'Milissegundos, com erro relativo de até 2 %; null sem chamadas.';

@ApiSchema({ name: 'TrafficWindow' })
export class TrafficWindowView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly from: Instant;
  @ApiProperty({ type: String, format: 'date-time' }) readonly to: Instant;
  @ApiProperty({ enum: [60, 3_600, 86_400] }) readonly bucketSeconds: number;
}

class EndingsView {
  @ApiProperty({ description: 'Status 400 ou maior: a soma de refused, limited, failed e abandoned.' })
  readonly errors: number;
  @ApiProperty({ description: 'Recusadas: status 4xx, exceto 429 e 499.' }) readonly refused: number;
  @ApiProperty({ description: 'Limitadas: status 429.' }) readonly limited: number;
  @ApiProperty({ description: 'Falhas nossas: status 5xx.' }) readonly failed: number;
  @ApiProperty({ description: 'O agente saiu antes da resposta (499).' }) readonly abandoned: number;
}

@ApiSchema({ name: 'TrafficTotals' })
export class TrafficTotalsView extends EndingsView {
  @ApiProperty({ description: 'Chamadas respondidas.' }) readonly requests: number;
  @ApiProperty({ description: 'errors ÷ requests; 0 sem chamadas.' }) readonly errorRate: number;
  @ApiProperty({
    description:
      'Agentes distintos: por cliente, sem token por site cuja assinatura confere, senão por endereço e família a cada dia. Não depende do filtro operation.',
  })
  readonly agents: number;
}

@ApiSchema({ name: 'TrafficByChannel' })
export class TrafficByChannelView extends EndingsView {
  @ApiProperty({ enum: CHANNELS }) readonly channel: string;
  @ApiProperty() readonly calls: number;
}

class LatencyView extends EndingsView {
  @ApiProperty({ type: Number, nullable: true, description: PERCENTILE }) readonly p50Ms: number | null;
  @ApiProperty({ type: Number, nullable: true, description: PERCENTILE }) readonly p95Ms: number | null;
  @ApiProperty({ type: Number, nullable: true, description: PERCENTILE }) readonly p99Ms: number | null;
}

@ApiSchema({ name: 'TrafficByOperation' })
export class TrafficByOperationView extends LatencyView {
  @ApiProperty({ example: 'search_flights' }) readonly operation: string;
  @ApiProperty() readonly calls: number;
}

@ApiSchema({ name: 'TrafficByStatus' })
export class TrafficByStatusView {
  @ApiProperty({ example: 200 }) readonly status: number;
  @ApiProperty() readonly calls: number;
}

@ApiSchema({ name: 'TrafficByErrorCode' })
export class TrafficByErrorCodeView {
  @ApiProperty({ example: 'mandate_limit_exceeded' }) readonly error: string;
  @ApiProperty() readonly calls: number;
}

@ApiSchema({ name: 'TrafficByAgentFamily' })
export class TrafficByAgentFamilyView extends EndingsView {
  @ApiProperty({
    example: 'gptbot',
    description: 'Famílias com menos de 5 agentes no dia (UTC) ou no período contam em other.',
  })
  readonly family: string;
  @ApiProperty() readonly calls: number;
  @ApiProperty() readonly agents: number;
}

@ApiSchema({ name: 'TrafficFunnel', description: 'Chamadas bem-sucedidas de cada etapa.' })
export class TrafficFunnelView {
  @ApiProperty() readonly search: number;
  @ApiProperty() readonly quote: number;
  @ApiProperty() readonly booking: number;
  @ApiProperty() readonly mandate: number;
  @ApiProperty() readonly order: number;
  @ApiProperty() readonly receipt: number;
}

@ApiSchema({ name: 'TrafficAgentStep' })
export class TrafficAgentStepView {
  @ApiProperty({ enum: FUNNEL }) readonly step: string;
  @ApiProperty({ description: 'Agentes distintos com uma chamada bem-sucedida da etapa.' }) readonly agents: number;
  @ApiProperty({ description: 'Destes, os que também buscaram no período.' }) readonly searched: number;
}

@ApiSchema({ name: 'TrafficAgentFunnel', description: 'Os mesmos agentes, da busca ao recibo.' })
export class TrafficAgentFunnelView {
  @ApiProperty({ type: [TrafficAgentStepView] }) readonly steps: readonly TrafficAgentStepView[];
  @ApiProperty({
    description:
      'Chamadas, de todos os agentes, contadas antes que se seguisse cada agente: não entram nas etapas dele.',
  })
  readonly notFollowed: number;
}

@ApiSchema({
  name: 'TrafficSignatures',
  description: 'Chamadas assinadas pelo agente (Web Bot Auth), pelo resultado da conferência.',
})
export class TrafficSignaturesView {
  @ApiProperty({ description: 'Conferem com uma chave que o site do agente publica.' }) readonly verified: number;
  @ApiProperty({ description: 'Não puderam ser conferidas; contam como sem assinatura.' }) readonly unverified: number;
  @ApiProperty({ description: 'Não conferem.' }) readonly wrong: number;
}

@ApiSchema({ name: 'TrafficMandates' })
export class TrafficMandatesView {
  @ApiProperty() readonly created: number;
  @ApiProperty() readonly revoked: number;
  @ApiProperty({ description: 'Cobranças que couberam no mandato e foram capturadas.' })
  readonly chargesApproved: number;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: { mandate_limit_exceeded: 3 } })
  readonly chargesRefusedByReason: Readonly<Record<string, number>>;
}

@ApiSchema({ name: 'TrafficPayments' })
export class TrafficPaymentsView {
  @ApiProperty() readonly captured: number;
  @ApiProperty() readonly declined: number;
  @ApiProperty() readonly challenged: number;
}

@ApiSchema({ name: 'TrafficSecurity' })
export class TrafficSecurityView {
  @ApiProperty({ description: 'Códigos de autorização apresentados de novo.' }) readonly codesReplayed: number;
  @ApiProperty({ description: 'Refresh tokens apresentados depois de trocados.' })
  readonly refreshTokensReused: number;
  @ApiProperty() readonly tokensRevoked: number;
  @ApiProperty() readonly loginsThrottled: number;
  @ApiProperty({ description: 'Mandatos recusados porque passariam do limite do agente.' })
  readonly capsRefused: number;
}

@ApiSchema({ name: 'TrafficPoint' })
export class TrafficPointView extends LatencyView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly start: Instant;
  @ApiProperty() readonly requests: number;
}

const UNFILTERED = 'De todos os agentes e operações, qualquer que seja o filtro.';

/** What agents did in a window of time, as counts only (docs/interface.md, endpoint 13; docs/decisions.md, Agent traffic). */
@ApiSchema({ name: 'AgentTraffic' })
export class AgentTrafficView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly generatedAt: Instant;
  @ApiProperty() readonly window: TrafficWindowView;
  @ApiProperty() readonly totals: TrafficTotalsView;
  @ApiProperty({ type: [TrafficByChannelView] }) readonly byChannel: readonly TrafficByChannelView[];
  @ApiProperty({ type: [TrafficByOperationView] }) readonly byOperation: readonly TrafficByOperationView[];
  @ApiProperty({ type: [TrafficByStatusView] }) readonly byStatus: readonly TrafficByStatusView[];
  @ApiProperty({ type: [TrafficByErrorCodeView] }) readonly byErrorCode: readonly TrafficByErrorCodeView[];
  @ApiProperty({ type: [TrafficByAgentFamilyView] }) readonly byAgentFamily: readonly TrafficByAgentFamilyView[];
  @ApiProperty({
    description:
      'Famílias com menos de 5 agentes, no dia ou no período: suas chamadas contam em other. 0 com agent de uma família. Não depende do filtro operation.',
  })
  readonly familiesBelowMinimum: number;
  @ApiProperty({ description: 'Não depende do filtro operation.' }) readonly funnel: TrafficFunnelView;
  @ApiProperty({ description: 'Não depende do filtro operation.' }) readonly agentFunnel: TrafficAgentFunnelView;
  @ApiProperty({ description: UNFILTERED }) readonly signatures: TrafficSignaturesView;
  @ApiProperty({ description: UNFILTERED }) readonly mandates: TrafficMandatesView;
  @ApiProperty({ description: UNFILTERED }) readonly payments: TrafficPaymentsView;
  @ApiProperty({ description: UNFILTERED }) readonly security: TrafficSecurityView;
  @ApiProperty({
    type: [TrafficPointView],
    description: 'Um ponto por bucket. Com agent, só os buckets em que a família teve 5 agentes ou mais.',
  })
  readonly series: readonly TrafficPointView[];
}
