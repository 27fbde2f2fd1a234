import { randomBytes } from 'node:crypto';
import type { BaseUrls } from '#http';
import { type Instant, millisecondsOf, type Scope } from '#kernel';
import { SignJWT } from 'jose';
import type { SigningKey } from '../keys/signing-key.js';
import { LIFETIMES } from '../oauth-settings.js';
import { type Resource, resourceAddress } from '../resources.js';

/** The `typ` of an access token (RFC 9068 §2.1). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
/** The only algorithm, for signing as for checking. */
export const ALGORITHM = 'RS256';

/** What an access token says. */
export interface AccessTokenContent {
  readonly grantId: string;
  readonly holder: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly resources: readonly Resource[];
}

/** Signs an access token (RFC 9068 §2.2). Its `jti` begins with the grant's id, so that a guard can ask whether that lives. */
export const signAccessToken = (
  { grantId, holder, clientId, scopes, resources }: AccessTokenContent,
  { urls, now, key }: { readonly urls: BaseUrls; readonly now: Instant; readonly key: SigningKey },
): Promise<string> => {
  const issuedAt = Math.floor(millisecondsOf(now) / 1000);
  const claims = {
    iss: urls.auth,
    aud: resources.map((resource) => resourceAddress(resource, urls)),
    sub: holder,
    client_id: clientId,
    scope: scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + LIFETIMES.accessToken / 1000,
    jti: `${grantId}.${randomBytes(16).toString('base64url')}`,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid })
    .sign(key.privateKey);
};
