import { Global, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { BookingModule } from '#booking';
import { Accounts, IdentityModule } from '#identity';
import { MandateModule } from '#mandate';
import { CatalogModule } from '#catalog';
import { MessageKeys, OAuthModule } from '#oauth';
import { OrderModule } from '#order';
import { AgentTokens, TravellerPurchases, TravellerWallet } from '#portal';
import { OutboxModule } from '#outbox';
import { Ap2Purchases } from './ap2/ap2-purchases.js';
import { StatusLists, StatusListsController } from './ap2/status-lists.js';
import { Wallets } from './ap2/wallets.js';
import { SessionPurchases } from './checkout/buy-session.js';
import { RepeatableWrites } from './checkout/repeatable-writes.js';
import { SessionHolds } from './checkout/session-holds.js';
import { Sessions } from './checkout/sessions.js';
import { CheckoutSessions } from './checkout/checkout-sessions.js';
import { CheckoutSessionsController } from './checkout/checkout-sessions.controller.js';
import { UcpOrders } from './order/ucp-orders.js';
import { UcpOrdersController } from './order/ucp-orders.controller.js';
import { UcpMcpController } from './mcp/ucp-mcp.controller.js';
import { UcpTools } from './mcp/ucp-tools.js';
import { MadeTokens } from './payment/made-tokens.js';
import { MandateTokens } from './payment/mandate-tokens.js';
import { PaymentTokens } from './payment/payment-tokens.js';
import { Admissions } from './payment/admissions.js';
import { TravellerTokens } from './payment/traveller-tokens.js';
import { TestTokens } from './payment/test-tokens.js';
import { SessionStandings } from './traveller/session-standing.js';
import { SessionDecisions } from './traveller/session-decisions.js';
import { UcpCatalog } from './catalog/ucp-catalog.js';
import { UcpCatalogController } from './catalog/ucp-catalog.controller.js';
import { UcpRequests } from './platform/ucp-requests.js';
import { ProfileController } from './profile/profile.controller.js';
import { MessageSigner } from './signing/message-signer.js';
import { SchemasController } from './profile/schemas.controller.js';
import { UcpSettings } from './ucp-settings.js';

/** Opens the keys that sign messages, and makes the traveller of the tokens that everybody knows, where there are any. */
@Injectable()
class UcpStart implements OnApplicationBootstrap {
  constructor(
    private readonly settings: UcpSettings,
    private readonly accounts: Accounts,
    private readonly keys: MessageKeys,
  ) {}

  /** @throws SealBroken */
  async onApplicationBootstrap(): Promise<void> {
    await this.keys.start();
    if (this.settings.traveller) await this.accounts.ensure(this.settings.traveller);
  }
}

/** What agents of others buy by. Wants `Platforms` globally; where it is, the account's pages find what they show of it. */
@Global()
@Module({
  imports: [BookingModule, CatalogModule, IdentityModule, MandateModule, OAuthModule, OrderModule, OutboxModule],
  controllers: [
    ProfileController,
    UcpCatalogController,
    CheckoutSessionsController,
    UcpOrdersController,
    UcpMcpController,
    SchemasController,
    StatusListsController,
  ],
  providers: [
    UcpStart,
    ...[Sessions, SessionHolds, RepeatableWrites, SessionPurchases, CheckoutSessions, UcpOrders, UcpTools, TestTokens],
    ...[Admissions, MadeTokens, SessionStandings, TravellerTokens, Wallets, Ap2Purchases, StatusLists],
    { provide: TravellerWallet, useExisting: Wallets },
    { provide: AgentTokens, useExisting: MadeTokens },
    { provide: TravellerPurchases, useClass: SessionDecisions },
    { provide: PaymentTokens, useClass: MandateTokens },
    UcpRequests,
    UcpCatalog,
    ...[MessageKeys, MessageSigner],
  ],
  exports: [AgentTokens, TravellerPurchases, TravellerWallet, UcpRequests, MessageKeys, MessageSigner],
})
export class UcpModule {}
