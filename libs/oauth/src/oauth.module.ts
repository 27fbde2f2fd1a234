import { Module } from '@nestjs/common';
import { AccessTokens } from '#http';
import { Accounts } from './accounts/accounts.js';
import { Passwords } from './accounts/passwords.js';
import { AuthorizationRequests } from './authorize/authorization-requests.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AuthorizeEndpoint } from './authorize/authorize-endpoint.js';
import { ConsentPages } from './authorize/consent-pages.js';
import { Consents } from './authorize/consents.js';
import { ConsentController } from './authorize/consent.controller.js';
import { Decide } from './authorize/decide.js';
import { IssueCode } from './authorize/issue-code.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { Clients } from './clients/clients.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { AuthorizationCodes } from './grants/authorization-codes.js';
import { RevokeGrant } from './grants/revoke-grant.js';
import { Grants } from './grants/grants.js';
import { ActiveGrants } from './grants/active-grants.js';
import { AccessTokenStrategy } from './guard/access-token.strategy.js';
import { PassportAccessTokens } from './guard/passport-access-tokens.js';
import { SigningKeys } from './keys/signing-keys.js';
import { LoginService } from './login/login-service.js';
import { LoginController } from './login/login.controller.js';
import { LoginFailures } from './login/login-failures.js';
import { LoginPages } from './login/login-pages.js';
import { DemoLeftoversCheck } from './demo-leftovers.js';
import { OAuthStart } from './oauth-start.js';
import { SecurityLog } from './security-log.js';
import { Sessions } from './sessions/sessions.js';
import { Visitors } from './sessions/visitors.js';
import { IntrospectToken } from './tokens/introspect-token.js';
import { PresentedTokens } from './tokens/presented-tokens.js';
import { RedeemCode } from './tokens/redeem-code.js';
import { RevokeToken } from './tokens/revoke-token.js';
import { TokenController } from './tokens/token.controller.js';
import { TokenEndpoint } from './tokens/token-endpoint.js';
import { UseRefreshToken } from './tokens/use-refresh-token.js';

/**
 * The authorization server, the guard's `AccessTokens`, and the travellers' login for other pages. Needs from the application, globally: `OAuthSettings`,
 * `Documents`, `Aggregates`, `Clock`, `Ids`; and `SiteModule`, whose stylesheet its pages use.
 */
@Module({
  controllers: [DiscoveryController, AuthorizeController, LoginController, ConsentController, TokenController],
  providers: [
    OAuthStart,
    DemoLeftoversCheck,
    ...[SigningKeys, Clients, Accounts, Sessions, AuthorizationRequests, AuthorizationCodes, Grants, Consents],
    ...[SecurityLog, RevokeGrant, ActiveGrants, ClientAuthentication, RedeemCode, UseRefreshToken, TokenEndpoint],
    ...[PresentedTokens, RevokeToken, IntrospectToken],
    ...[
      Visitors,
      Passwords,
      LoginFailures,
      LoginService,
      LoginPages,
      ConsentPages,
      AuthorizeEndpoint,
      IssueCode,
      Decide,
    ],
    AccessTokenStrategy,
    { provide: AccessTokens, useClass: PassportAccessTokens },
  ],
  exports: [AccessTokens, Clients, Consents, Grants, LoginPages, Visitors],
})
export class OAuthModule {}
