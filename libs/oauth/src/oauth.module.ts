import { Module } from '@nestjs/common';
import { AccessTokens } from '#http';
import { Accounts } from './accounts/accounts.js';
import { AuthorizationRequests } from './authorize/authorization-requests.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AuthorizeEndpoint } from './authorize/authorize-endpoint.js';
import { ConsentController } from './authorize/consent.controller.js';
import { Decide } from './authorize/decide.js';
import { IssueCode } from './authorize/issue-code.js';
import { LoginController } from './authorize/login.controller.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { Clients } from './clients/clients.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { AuthorizationCodes } from './grants/authorization-codes.js';
import { Grants } from './grants/grants.js';
import { AccessTokenStrategy } from './guard/access-token.strategy.js';
import { PassportAccessTokens } from './guard/passport-access-tokens.js';
import { SigningKeys } from './keys/signing-keys.js';
import { OAuthStart } from './oauth-start.js';
import { Sessions } from './sessions/sessions.js';
import { Visitors } from './sessions/visitors.js';
import { RedeemCode } from './tokens/redeem-code.js';
import { TokenController } from './tokens/token.controller.js';
import { TokenEndpoint } from './tokens/token-endpoint.js';
import { UseRefreshToken } from './tokens/use-refresh-token.js';

/**
 * The authorization server and the guard's `AccessTokens`. Needs from the application, globally: `OAuthSettings`,
 * `Documents`, `Aggregates`, `Clock`, `Ids`; and `SiteModule`, whose stylesheet its pages use.
 */
@Module({
  controllers: [DiscoveryController, AuthorizeController, LoginController, ConsentController, TokenController],
  providers: [
    OAuthStart,
    ...[SigningKeys, Clients, Accounts, Sessions, AuthorizationRequests, AuthorizationCodes, Grants],
    ...[ClientAuthentication, RedeemCode, UseRefreshToken, TokenEndpoint],
    ...[Visitors, AuthorizeEndpoint, IssueCode, Decide],
    AccessTokenStrategy,
    { provide: AccessTokens, useClass: PassportAccessTokens },
  ],
  exports: [AccessTokens],
})
export class OAuthModule {}
