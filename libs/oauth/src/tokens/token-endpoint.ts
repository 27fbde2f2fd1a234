import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { Clock } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { ClientAuthentication, type ClientRequest } from '../clients/client-authentication.js';
import { Grants } from '../grants/grants.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { fromLibrary, libraryRequest } from '../library.js';
import { LIFETIMES } from '../oauth-settings.js';
import { RedeemCode } from './redeem-code.js';
import { tokenModel } from './token-model.js';
import { type TokenRequest, tokenRequestIn } from './token-request.js';
import { UseRefreshToken } from './use-refresh-token.js';

/** The token endpoint's answer (RFC 6749 §5.1). `expires_in` in seconds. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string | undefined;
  readonly scope: string;
}

/** The pipeline of `POST /oauth/token`: each step a rule with a file of its own, the library last. */
@Injectable()
export class TokenEndpoint {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly redeemCode: RedeemCode,
    private readonly useRefreshToken: UseRefreshToken,
    private readonly grants: Grants,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws OAuthError, or DomainError `service_unavailable` where a store does not answer. */
  async answer(request: FastifyRequest): Promise<TokenAnswer> {
    const asked = await this.clients.requestOf(request);
    const token = await this.issue(tokenRequestIn(asked.parameters), asked);
    return {
      access_token: token.accessToken,
      token_type: 'Bearer',
      expires_in: LIFETIMES.accessToken / 1000,
      refresh_token: asked.client.refresh === false ? undefined : token.refreshToken,
      scope: (token.scope ?? []).join(' '),
    };
  }

  private async issue(request: TokenRequest, asked: ClientRequest): Promise<OAuth2Server.Token> {
    const { redeemCode, useRefreshToken, grants, keys, clock } = this;
    const model = tokenModel({ redeemCode, useRefreshToken, grants, keys, clock }, asked);
    // Safe, since the client is authenticated by its registered method before; the library would refuse a public one.
    const server = new OAuth2Server({ model, requireClientAuthentication: { refresh_token: false } });
    const form = libraryRequest({ ...request, client_id: asked.client.clientId });
    try {
      return await server.token(form, new OAuth2Server.Response());
    } catch (error) {
      throw fromLibrary(error, {
        invalid_grant: request.grant_type === 'refresh_token' ? 'refresh_token_invalid' : 'code_invalid',
        invalid_scope: 'scope_invalid',
      });
    }
  }
}
