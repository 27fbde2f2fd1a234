import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { AgentTrafficController } from './query/agent-traffic.controller.js';
import { GetAgentTrafficHandler } from './query/get-agent-traffic.handler.js';
import { LiveTrafficController } from './stream/live-traffic.controller.js';
import { LiveTraffic } from './stream/live-traffic.js';

/**
 * What analysts see of agent traffic. Needs from the application, globally: `Clock`, `ReadModelStore`, `ReadModels`; and
 * `SiteModule`, whose stylesheet the dashboard uses.
 */
@Module({
  controllers: [AgentTrafficController, LiveTrafficController, DashboardController],
  providers: [GetAgentTrafficHandler, LiveTraffic],
})
export class TrafficModule {}
