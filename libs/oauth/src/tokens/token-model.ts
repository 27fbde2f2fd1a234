import type OAuth2Server from '@node-oauth/oauth2-server';
import type { Document } from '#documents';
import { type Clock, SCOPES } from '#kernel';
import type { ClientRequest } from '../clients/client-authentication.js';
import type { AuthorizationCode } from '../grants/authorization-code.js';
import type { Grant } from '../grants/grant.js';
import type { Grants } from '../grants/grants.js';
import { newRefreshToken } from '../grants/refresh-token.js';
import type { SigningKeys } from '../keys/signing-keys.js';
import { FAR_FUTURE, libraryClient, UNUSED } from '../library.js';
import { OAuthError } from '../oauth-error.js';
import { checkResources, type Resource } from '../resources.js';
import { signAccessToken } from './access-token.js';
import type { RedeemCode } from './redeem-code.js';
import type { UseRefreshToken } from './use-refresh-token.js';

/** The rules a token request is judged by, and what issuing needs. */
export interface TokenRules {
  readonly redeemCode: RedeemCode;
  readonly useRefreshToken: UseRefreshToken;
  readonly grants: Grants;
  readonly keys: SigningKeys;
  readonly clock: Clock;
}

/** What the library carries from step to step, as its `user`: the grant as it was read, so that saving is one compare-and-set on it. */
interface InHand {
  readonly grant: Document<Grant>;
  readonly resources: readonly Resource[];
  readonly code: Document<AuthorizationCode> | null;
}
const inHand = (user: OAuth2Server.User): InHand => user as InHand;

/** The library's model for one token request of one client. */
export const tokenModel = (
  { redeemCode, useRefreshToken, grants, keys, clock }: TokenRules,
  asked: ClientRequest,
): OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel => {
  const { client, parameters, urls } = asked;
  const found = (grant: Document<Grant>, code: Document<AuthorizationCode> | null) => ({
    client: libraryClient(client.clientId),
    user: { grant, code, resources: checkResources(parameters, urls, grant.body.resources) } satisfies InHand,
    scope: [...grant.body.scopes],
  });

  return {
    ...UNUSED,
    getClient: () => Promise.resolve(libraryClient(client.clientId)),

    getAuthorizationCode: async (text) => {
      const { code, grant } = await redeemCode.find(text, asked);
      const { codeChallenge } = code.body;
      // Without a redirect URI the library does not compare it again: that is done, where it was sent.
      const rest = { expiresAt: FAR_FUTURE, redirectUri: '', codeChallenge, codeChallengeMethod: 'S256' };
      return { authorizationCode: text, ...rest, ...found(grant, code) };
    },
    revokeAuthorizationCode: async ({ user }) => {
      const { code } = inHand(user);
      if (code) await redeemCode.redeem(code, asked);
      return code !== null;
    },

    getRefreshToken: async (text) => ({
      refreshToken: text,
      ...found(await useRefreshToken.find(text, asked), null),
    }),
    // Rotation is one compare-and-set in `saveToken`, not two writes.
    revokeToken: () => Promise.resolve(true),

    generateAccessToken: async (_, user, wanted) => {
      const { grant, resources } = inHand(user);
      const { holder, clientId } = grant.body;
      const scopes = SCOPES.filter((scope) => wanted.includes(scope));
      const content = { grantId: grant.id, holder, clientId, scopes, resources };
      return signAccessToken(content, { urls, now: clock.now(), key: await keys.current() });
    },
    generateRefreshToken: (_, user) => {
      const { grant } = inHand(user);
      return Promise.resolve(newRefreshToken(grant.id, grant.body));
    },
    saveToken: async (token, libraryClient, user) => {
      const { grant, code } = inHand(user);
      const isSaved = token.refreshToken !== undefined && (await grants.rotate(grant, token.refreshToken));
      if (!isSaved && !code) return useRefreshToken.refuseReuse(parameters.required('refresh_token'), asked);
      if (!isSaved) throw new OAuthError('code_invalid');
      return { ...token, client: libraryClient, user };
    },
  };
};
