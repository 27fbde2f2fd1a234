import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Instant } from '#kernel';
import {
  TrafficByAgentFamilyView,
  TrafficByChannelView,
  TrafficByErrorCodeView,
  TrafficByOperationView,
  TrafficByStatusView,
  TrafficFunnelView,
  TrafficMandatesView,
  TrafficPaymentsView,
  TrafficPointView,
  TrafficSecurityView,
  TrafficTotalsView,
} from './traffic-figures.view.js';

@ApiSchema({ name: 'TrafficWindow' })
export class TrafficWindowView {
  @ApiProperty({ format: 'date-time' })
  readonly from: Instant;

  @ApiProperty({ format: 'date-time' })
  readonly to: Instant;

  @ApiProperty({ enum: [60, 3_600, 86_400] })
  readonly bucketSeconds: number;
}

/** What agents did in a window of time, as counts only (docs/interface.md, endpoint 13; docs/decisions.md, Agent traffic). */
@ApiSchema({ name: 'AgentTraffic' })
export class AgentTrafficView {
  @ApiProperty({ format: 'date-time' })
  readonly generatedAt: Instant;

  @ApiProperty()
  readonly window: TrafficWindowView;

  @ApiProperty()
  readonly totals: TrafficTotalsView;

  @ApiProperty({ type: [TrafficByChannelView] })
  readonly byChannel: readonly TrafficByChannelView[];

  @ApiProperty({ type: [TrafficByOperationView] })
  readonly byOperation: readonly TrafficByOperationView[];

  @ApiProperty({ type: [TrafficByStatusView] })
  readonly byStatus: readonly TrafficByStatusView[];

  @ApiProperty({ type: [TrafficByErrorCodeView] })
  readonly byErrorCode: readonly TrafficByErrorCodeView[];

  @ApiProperty({ type: [TrafficByAgentFamilyView] })
  readonly byAgentFamily: readonly TrafficByAgentFamilyView[];

  @ApiProperty({ description: 'Não depende do filtro operation.' })
  readonly funnel: TrafficFunnelView;

  @ApiProperty({ description: 'De todos os agentes e operações, qualquer que seja o filtro.' })
  readonly mandates: TrafficMandatesView;

  @ApiProperty({ description: 'De todos os agentes e operações, qualquer que seja o filtro.' })
  readonly payments: TrafficPaymentsView;

  @ApiProperty({ description: 'De todos os agentes e operações, qualquer que seja o filtro.' })
  readonly security: TrafficSecurityView;

  @ApiProperty({
    type: [TrafficPointView],
    description: 'Um ponto por bucket. Com agent, só os buckets em que a família teve 5 agentes ou mais.',
  })
  readonly series: readonly TrafficPointView[];
}
