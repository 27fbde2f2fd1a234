import { Query } from '@nestjs/cqrs';
import type { AgentTrafficView } from './agent-traffic.view.js';
import type { TrafficReport } from './traffic-report.js';
import type { TrafficFilter } from './traffic-sum.js';
import type { WindowAsked } from './traffic-window.js';

/**
 * What agents did in a window of time; with what they did up to the same point of the one before it, where that is asked
 * for and kept.
 */
export class GetAgentTraffic extends Query<{
  readonly now: AgentTrafficView;
  readonly before: TrafficReport | null;
}> {
  constructor(
    readonly window: WindowAsked,
    readonly filter: TrafficFilter = {},
    readonly isCompared = false,
  ) {
    super();
  }
}
