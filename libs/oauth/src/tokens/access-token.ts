import type { KeyObject } from 'node:crypto';
import { type Addresses, type BaseUrls, baseUrlsFor } from '#http';
import { newSecret } from '#identity';
import { type Instant, isId, millisecondsOf, type Scope, SCOPES } from '#kernel';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { z } from 'zod';
import type { SigningKey } from '../keys/signing-key.js';
import type { SigningKeys } from '../keys/signing-keys.js';
import { LIFETIMES } from '../oauth-settings.js';
import { type Resource, resourceAddress, RESOURCES } from '../requested-access.js';

/** The `typ` of an access token (RFC 9068 §2.1). */
const ACCESS_TOKEN_TYPE = 'at+jwt';
/** The only algorithm, for signing and for verification. */
export const ALGORITHM = 'RS256';

export interface AccessTokenContent {
  readonly grantId: string;
  readonly holder: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly resources: readonly Resource[];
  /** Thumbprint (RFC 7638) of the key that it is bound to (RFC 9449 §6); absent: the bearer of the token may use it. */
  readonly jkt?: string | undefined;
}

/** Signs an access token (RFC 9068 §2.2). Its `jti` begins with the grant's id, so that a guard can check the grant. */
export const signAccessToken = (
  { grantId, holder, clientId, scopes, resources, jkt }: AccessTokenContent,
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
    jti: `${grantId}.${newSecret(16)}`,
    ...(jkt !== undefined && { cnf: { jkt } }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid })
    .sign(key.privateKey);
};

/** The token does not have the header of one of our access tokens. */
class ForeignToken extends Error {
  override readonly name = 'ForeignToken';
}

/** The key that `kid` names; keys in the token never count (RFC 8725 §3.11, RFC 7515 §4.1.11). @throws ForeignToken; Unavailable */
export const verificationKey = async (token: string, keys: SigningKeys): Promise<KeyObject> => {
  const { typ, kid, crit } = headerOf(token);
  if (typ !== ACCESS_TOKEN_TYPE || crit !== undefined || kid === undefined) throw new ForeignToken();
  const key = await keys.publicKey(kid);
  if (!key) throw new ForeignToken();
  return key;
};

const headerOf = (token: string) => {
  try {
    return decodeProtectedHeader(token);
  } catch (error) {
    throw new ForeignToken('no JWT', { cause: error });
  }
};

/** The claims an access token must have (RFC 9068 §2.2). */
const accessTokenClaims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]).transform((audience) => [audience].flat()),
  sub: z.string(),
  client_id: z.string(),
  scope: z
    .string()
    .transform((scopes) => scopes.split(' '))
    .pipe(z.array(z.enum(SCOPES))),
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
  /** The key that it is bound to (RFC 9449 §6.1). */
  cnf: z.object({ jkt: z.string() }).optional(),
});

export interface AccessTokenClaims extends z.infer<typeof accessTokenClaims> {
  readonly grantId: string;
  readonly resources: readonly Resource[];
}

/** The claims of a token with a valid signature, be it expired or not; null: issuer or form is wrong. */
export const claimsIn = (payload: unknown, addresses: Addresses): AccessTokenClaims | null => {
  const { success, data: claims } = accessTokenClaims.safeParse(payload);
  if (!success) return null;
  const urls = urlsOfIssuer(addresses, claims.iss);
  const grantId = claims.jti.split('.', 1)[0] ?? '';
  if (!urls || !isId(grantId)) return null;
  return { ...claims, grantId, resources: RESOURCES.filter((one) => claims.aud.includes(resourceAddress(one, urls))) };
};

/** The addresses with which we are `issuer`, or null: under loopback names those of all are (docs/decisions.md, Fixed names). */
const urlsOfIssuer = (addresses: Addresses, issuer: string): BaseUrls | null => {
  const urls = baseUrlsFor(addresses, issuer.replace(/^http:\/\//, ''));
  return urls.auth === issuer ? urls : null;
};
