import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { AgentTrafficController } from './query/agent-traffic.controller.js';
import { AgentTrafficReader } from './query/agent-traffic.reader.js';
import { LiveTraffic, LiveTrafficController } from './query/live-traffic.controller.js';

/** What analysts read of agent traffic. Needs `Clock`, `ReadModelStore`, `ReadModels`, and `SiteModule` for the stylesheet. */
@Module({
  controllers: [AgentTrafficController, LiveTrafficController, DashboardController],
  providers: [AgentTrafficReader, LiveTraffic],
})
export class TrafficModule {}
