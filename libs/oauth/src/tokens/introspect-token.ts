import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import { Clock, millisecondsOf } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { grantedDetail, type GrantedDetail } from '../authorize/authorization-details.js';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { methodOf } from '../clients/clients.js';
import { isNewest, isUnexpired } from '../grants/refresh-token.js';
import { OAuthError } from '../oauth-error.js';
import { resourceAddress } from '../requested-access.js';
import { type PresentedToken, PresentedTokens } from './presented-tokens.js';

/** The answer for a client's own active token (RFC 7662 §2.2). `exp`, `iat`: seconds since 1970. */
export interface Introspection {
  readonly active: true;
  readonly token_type?: 'Bearer' | 'DPoP';
  readonly iss: string;
  readonly aud: readonly string[];
  readonly sub: string;
  readonly client_id: string;
  readonly scope: string;
  /** The mandates granted with it (RFC 9396 §9.2); absent: none. */
  readonly authorization_details?: readonly GrantedDetail[];
  readonly exp: number;
  readonly iat?: number;
  readonly jti?: string;
  /** The key that the token is bound to (RFC 9449 §6.2); absent: none. */
  readonly cnf?: { readonly jkt: string };
}

/** The answer for a token that is inactive, another client's or none at all, without saying which. */
const INACTIVE = { active: false } as const;

/** `POST /oauth/introspect` (RFC 7662): whether a client's own token is active, and for what. */
@Injectable()
export class IntrospectToken {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: PresentedTokens,
    private readonly clock: Clock,
  ) {}

  /** @throws OAuthError `client_unauthenticated`, also for a public client (§2.1), and those of authentication; Unavailable */
  async answer(request: FastifyRequest): Promise<Introspection | typeof INACTIVE> {
    const { client, parameters, urls } = await this.clients.requestOf(request);
    if (methodOf(client) === 'none') throw new OAuthError('client_unauthenticated');
    const text = parameters.required('token');
    const token = await this.tokens.find(text);
    if (token?.grant.body.clientId !== client.clientId) return INACTIVE;
    const { kind, grant } = token;
    const isGood = kind === 'access_token' || (isNewest(text, grant.body) && isUnexpired(grant.body, this.clock.now()));
    if (!isGood) return INACTIVE;
    const details = grant.body.details.map(grantedDetail);
    return { ...described(token, urls), ...(details.length > 0 && { authorization_details: details }) };
  }
}

const described = (token: PresentedToken, urls: BaseUrls): Introspection => {
  if (token.kind === 'access_token') {
    const { iss, aud, sub, client_id, scope: scopes, exp, iat, jti, cnf } = token.claims;
    const scope = scopes.join(' ');
    const type = cnf ? 'DPoP' : 'Bearer';
    return { active: true, token_type: type, iss, aud, sub, client_id, scope, exp, iat, jti, ...(cnf && { cnf }) };
  }
  const { holder, clientId, scopes, resources, refreshExpiresAt, jkt } = token.grant.body;
  return {
    active: true,
    iss: urls.auth,
    aud: resources.map((resource) => resourceAddress(resource, urls)),
    sub: holder,
    client_id: clientId,
    scope: scopes.join(' '),
    exp: Math.floor(millisecondsOf(refreshExpiresAt ?? '') / 1000),
    ...(jkt !== undefined && { cnf: { jkt } }),
  };
};
