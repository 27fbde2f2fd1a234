import { Module } from '@nestjs/common';
import { MandateModule, MandatePurposesModule } from '#mandate';
import { IdentityModule, ReturnTargets } from '#identity';
import { OAuthModule } from '#oauth';
import { OrderModule } from '#order';
import { OutboxModule } from '#outbox';
import { AgentController } from './agents/agent.controller.js';
import { AgentsController } from './agents/agents.controller.js';
import { ChallengeController } from './challenge/challenge.controller.js';
import { Histories } from './history/histories.js';
import { AgentNames } from './layout/agent-names.js';
import { RETURN_TARGETS } from './layout/return-targets.js';
import { LimitsController } from './limits/limits.controller.js';
import { MandatesController } from './mandates/mandates.controller.js';
import { NoticesController } from './notices/notices.controller.js';
import { OrdersController } from './orders/orders.controller.js';
import { TripsController } from './orders/trips.controller.js';
import { WaitingController } from './overview/waiting.controller.js';
import { TicketsController } from '../tickets/tickets.controller.js';
import { IdleAgentsController } from './overview/idle-agents.controller.js';
import { PauseAllController } from './overview/pause-all.controller.js';
import { PaymentTokensController } from './payment-tokens/payment-tokens.controller.js';
import { PurchaseController } from './purchase/purchase.controller.js';
import { WalletController } from './wallet/wallet.controller.js';
import { AccountController } from './overview/account.controller.js';
import { Happenings } from './overview/happenings.js';
import { LiveNewsController } from './overview/live-news.controller.js';
import { LiveNews } from './overview/live-news.js';

/** The pages on purchases by platforms of others, where these buy: wants `UcpModule`. */
@Module({
  imports: [IdentityModule, MandateModule, OAuthModule],
  controllers: [PaymentTokensController, PurchaseController, WalletController],
  providers: [AgentNames],
})
export class PurchasePagesModule {}

/** The travellers' own pages, and the tickets that they and their agents show. Needs `Clock` from the application, globally, and `SiteModule`, whose stylesheet they use. */
@Module({
  imports: [...[IdentityModule, MandateModule, MandatePurposesModule], ...[OAuthModule, OrderModule, OutboxModule]],
  controllers: [
    ...[ChallengeController, AccountController, AgentController, MandatesController, OrdersController],
    ...[AgentsController, LimitsController, TripsController],
    ...[
      IdleAgentsController,
      LiveNewsController,
      NoticesController,
      PauseAllController,
      TicketsController,
      WaitingController,
    ],
  ],
  providers: [AgentNames, Happenings, Histories, LiveNews],
})
export class AccountModule {
  constructor(targets: ReturnTargets) {
    targets.register(RETURN_TARGETS);
  }
}
