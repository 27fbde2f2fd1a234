import { type Addresses, type Links, linksFor } from '#http';
import { type Caller, type Instant, isId, millisecondsOf, SCOPES } from '#kernel';
import { z } from 'zod';
import { type Resource, resourceAddress } from '../resources.js';

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

/** What an access token is judged against. */
export interface Expectations {
  readonly addresses: Addresses;
  readonly resource: Resource;
  readonly now: Instant;
}

/**
 * The addresses under which `issuer` is ours, or null. Where requests under loopback names are answered under their own
 * name, the tokens of all those names are good (design.md §5, Fixed names).
 */
const linksOfIssuer = (addresses: Addresses, issuer: string): Links | null => {
  const links = linksFor(addresses, issuer.replace(/^http:\/\//, ''));
  return links.auth === issuer ? links : null;
};

/**
 * The caller that the claims of a well-signed token name, or null where they do not do: issuer, audience, expiry and
 * form. (jsonwebtoken accepts a token without `exp`.)
 */
export const callerIn = (payload: unknown, { addresses, resource, now }: Expectations): Caller | null => {
  const { success, data: claims } = accessTokenClaims.safeParse(payload);
  if (!success || claims.exp * 1000 <= millisecondsOf(now)) return null;
  const links = linksOfIssuer(addresses, claims.iss);
  if (!links || !claims.aud.includes(resourceAddress(resource, links))) return null;
  const grantId = claims.jti.split('.', 1)[0] ?? '';
  if (!isId(grantId)) return null;
  return { holder: claims.sub, clientId: claims.client_id, scopes: claims.scope, grantId };
};
