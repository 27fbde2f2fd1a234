import { Module } from '@nestjs/common';
import { IdentityModule, ReturnTargets } from '#identity';
import { OAuthModule } from '#oauth';
import { AgentPages } from './agents/agent-pages.js';
import { AgentsController } from './agents/agents.controller.js';
import { ChallengeController } from './challenge/challenge.controller.js';
import { ChallengePages } from './challenge/challenge-pages.js';
import { AgentNames } from './layout/agent-names.js';
import { RETURN_TARGETS } from './layout/return-targets.js';
import { Visits } from './layout/visits.js';
import { MandatePages } from './mandates/mandate-pages.js';
import { MandatesController } from './mandates/mandates.controller.js';
import { OrderPages } from './orders/order-pages.js';
import { OrdersController } from './orders/orders.controller.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewPages } from './overview/overview-pages.js';

/** The travellers' own pages. Needs `Clock` from the application, globally, and `SiteModule`, whose stylesheet they use. */
@Module({
  imports: [IdentityModule, OAuthModule],
  controllers: [ChallengeController, OverviewController, AgentsController, MandatesController, OrdersController],
  providers: [Visits, AgentNames, ChallengePages, OverviewPages, AgentPages, MandatePages, OrderPages],
})
export class AccountModule {
  constructor(targets: ReturnTargets) {
    targets.register(RETURN_TARGETS);
  }
}
