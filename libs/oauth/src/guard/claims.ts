import { type Addresses, type BaseUrls, baseUrlsFor } from '#http';
import { type Caller, type Instant, isId, millisecondsOf, SCOPES } from '#kernel';
import { z } from 'zod';
import { type Resource, resourceAddress, RESOURCES } from '../resources.js';

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
});

/** What an access token says that is ours and has not expired. */
export interface AccessTokenClaims extends z.infer<typeof accessTokenClaims> {
  readonly grantId: string;
  /** The resources it is good for, as its issuer names them. */
  readonly resources: readonly Resource[];
}

/**
 * The addresses under which `issuer` is ours, or null. Where requests under loopback names are answered under their own
 * name, the tokens of all those names are good (docs/decisions.md, Fixed names).
 */
const linksOfIssuer = (addresses: Addresses, issuer: string): BaseUrls | null => {
  const urls = baseUrlsFor(addresses, issuer.replace(/^http:\/\//, ''));
  return urls.auth === issuer ? urls : null;
};

/**
 * The claims of a well-signed token, or null where they do not do: issuer, expiry and form. (jsonwebtoken accepts a
 * token without `exp`.)
 */
export const claimsIn = (payload: unknown, addresses: Addresses, now: Instant): AccessTokenClaims | null => {
  const { success, data: claims } = accessTokenClaims.safeParse(payload);
  if (!success || claims.exp * 1000 <= millisecondsOf(now)) return null;
  const urls = linksOfIssuer(addresses, claims.iss);
  const grantId = claims.jti.split('.', 1)[0] ?? '';
  if (!urls || !isId(grantId)) return null;
  return { ...claims, grantId, resources: RESOURCES.filter((one) => claims.aud.includes(resourceAddress(one, urls))) };
};

/** The caller that the claims of a token for `resource` name. */
export const callerIn = ({ sub, client_id, scope, grantId }: AccessTokenClaims): Caller => ({
  holder: sub,
  clientId: client_id,
  scopes: scope,
  grantId,
});
