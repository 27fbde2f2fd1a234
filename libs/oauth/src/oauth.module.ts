import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { CatalogModule } from '#catalog';
import { Documents } from '#documents';
import { AccessTokens } from '#http';
import { IdentityModule, ReturnTargets } from '#identity';
import { Clock } from '#kernel';
import { MandatePurposesModule } from '#mandate';
import { AuthorizationRequests } from './authorize/authorization-requests.js';
import { AuthorizeEndpoint } from './authorize/authorize-endpoint.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { ConsentDecision } from './authorize/consent-decision.js';
import { ConsentPages } from './authorize/consent-pages.js';
import { consentTarget } from './authorize/consent-target.js';
import { Consents } from './authorize/remembered-consents.js';
import { PushAuthorizationRequest } from './authorize/push-authorization-request.js';
import { ClientAssertions } from './clients/client-assertions.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { ClientLookup } from './clients/client-lookup.js';
import { Clients } from './clients/clients.js';
import { RegisterClient } from './clients/register-client.js';
import { DefaultCredentialsCheck } from './default-credentials.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { DpopProofs } from './dpop/dpop-proofs.js';
import { OwnProofMemory, ProofMemory, SharedProofMemory } from './dpop/proof-memory.js';
import { AuthorizationCodes } from './grants/authorization-codes.js';
import { ActiveGrants, Grants } from './grants/grants.js';
import { RevokeGrant } from './grants/revoke-grant.js';
import { AccessTokenStrategy, PassportAccessTokens } from './tokens/verify-access-token.js';
import { SigningKeys } from './keys/signing-keys.js';
import { OAuthSettings } from './oauth-settings.js';
import { IntrospectToken } from './tokens/introspect-token.js';
import { PresentedTokens } from './tokens/presented-tokens.js';
import { RedeemCode } from './tokens/redeem-code.js';
import { RevokeToken } from './tokens/revoke-token.js';
import { TokenEndpoint } from './tokens/token-endpoint.js';
import { TokenController } from './tokens/token.controller.js';
import { UseRefreshToken } from './tokens/use-refresh-token.js';

/** Prepares what the first request needs: collections, a signing key, the clients of the configuration. */
@Injectable()
class OAuthStart implements OnModuleInit {
  constructor(
    private readonly settings: OAuthSettings,
    private readonly keys: SigningKeys,
    private readonly clients: Clients,
    private readonly assertions: ClientAssertions,
    private readonly requests: AuthorizationRequests,
    private readonly codes: AuthorizationCodes,
    private readonly grants: Grants,
    private readonly consents: Consents,
    private readonly proofs: ProofMemory,
    private readonly leftovers: DefaultCredentialsCheck,
  ) {}

  /** Safe to run again, and while another process starts. @throws SealBroken, DefaultCredentialsRefused */
  async onModuleInit(): Promise<void> {
    const { clients, assertions, requests, codes, grants, consents, proofs } = this;
    for (const collection of [clients, assertions, requests, codes, grants, consents, proofs])
      await collection.prepare();
    await this.keys.start();
    for (const client of this.settings.clients) await clients.ensure(client);
    await this.leftovers.run();
  }
}

/** The authorization server and the guard's `AccessTokens`. Wants its settings, ports and `SiteModule` globally. */
@Module({
  imports: [CatalogModule, IdentityModule, MandatePurposesModule],
  controllers: [DiscoveryController, AuthorizeController, TokenController],
  providers: [
    OAuthStart,
    DefaultCredentialsCheck,
    ...[SigningKeys, Clients, AuthorizationRequests, AuthorizationCodes, Grants, Consents],
    ...[RevokeGrant, ActiveGrants, ClientLookup, RegisterClient, ClientAssertions, ClientAuthentication],
    ...[RedeemCode, UseRefreshToken, TokenEndpoint],
    {
      provide: ProofMemory,
      inject: [OAuthSettings, Documents, Clock],
      useFactory: ({ sharesDocuments, keyEncryptionKeys }: OAuthSettings, documents: Documents, clock: Clock) =>
        sharesDocuments === true
          ? new SharedProofMemory(documents, clock, keyEncryptionKeys)
          : new OwnProofMemory(clock),
    },
    DpopProofs,
    ...[PresentedTokens, RevokeToken, IntrospectToken],
    ...[ConsentPages, AuthorizeEndpoint, PushAuthorizationRequest, ConsentDecision],
    AccessTokenStrategy,
    PassportAccessTokens,
    { provide: AccessTokens, useExisting: PassportAccessTokens },
  ],
  exports: [AccessTokens, Clients, Consents, Grants],
})
export class OAuthModule {
  constructor(targets: ReturnTargets, requests: AuthorizationRequests, clients: Clients) {
    targets.register({ request: consentTarget(requests, clients) });
  }
}
