import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { RevokeGrant } from '../grants/revoke-grant.js';
import { OAuthError } from '../oauth-error.js';
import { PresentedTokens } from './presented-tokens.js';

/** `POST /oauth/revoke` (RFC 7009): a token of either kind revokes the grant, which guards read, in every process at once. */
@Injectable()
export class RevokeToken {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: PresentedTokens,
    private readonly revokeGrant: RevokeGrant,
  ) {}

  /** An invalid token is no error (RFC 7009 §2.2). @throws OAuthError `token_of_another_client` (§2.1), of authentication; Unavailable */
  async revoke(request: FastifyRequest): Promise<void> {
    const { client, parameters, cause } = await this.clients.requestOf(request);
    const token = await this.tokens.find(parameters.required('token'));
    if (!token) return;
    const { kind, grant } = token;
    if (grant.body.clientId !== client.clientId) throw new OAuthError('token_of_another_client');
    await this.revokeGrant.revoke(grant.id, `${kind}_revoked`, cause);
  }
}
