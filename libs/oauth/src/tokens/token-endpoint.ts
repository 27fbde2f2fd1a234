import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { Clock, SCOPES } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { grantedDetail, type GrantedDetail } from '../authorize/authorization-details.js';
import { ClientAuthentication, type ClientRequest, type ProvenRequest } from '../clients/client-authentication.js';
import { DpopProofs } from '../dpop/dpop-proofs.js';
import { type Grant, Grants } from '../grants/grants.js';
import { newRefreshToken } from '../grants/refresh-token.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthError } from '../oauth-error.js';
import { LIFETIMES, OAuthSettings } from '../oauth-settings.js';
import { checkResources, scopeText } from '../requested-access.js';
import { signAccessToken } from './access-token.js';
import { RedeemCode } from './redeem-code.js';
import { type IssuedTokens, type Issuing, redeemWithLibrary, refreshWithLibrary } from './token-library.js';
import { type CodeRequest, type RefreshRequest, tokenRequestIn } from './token-request.js';
import { UseRefreshToken } from './use-refresh-token.js';

/** The token endpoint's answer (RFC 6749 §5.1). `expires_in` in seconds. */
export interface TokenAnswer {
  readonly access_token: string;
  /** `DPoP`: bound to the key of the request's proof (RFC 9449 §5). */
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly refresh_token: string | undefined;
  readonly scope: string;
  /** The mandates that the traveller granted (RFC 9396 §7); absent: none. */
  readonly authorization_details?: readonly GrantedDetail[];
}

interface Issued {
  readonly tokens: IssuedTokens;
  readonly grant: Document<Grant>;
}

/** `POST /oauth/token`: authenticates the client, checks the parameters and the proof, finds the grant, and has the library issue. */
@Injectable()
export class TokenEndpoint {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly redeemCode: RedeemCode,
    private readonly useRefreshToken: UseRefreshToken,
    private readonly grants: Grants,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly proofs: DpopProofs,
    private readonly settings: OAuthSettings,
  ) {}

  /** @throws OAuthError, or Unavailable where a store does not answer. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<TokenAnswer> {
    const client = await this.clients.requestOf(request);
    const form = tokenRequestIn(client.parameters);
    const sent = { ...client, jkt: await this.keyOf(client, request, reply) };
    const isCode = form.grant_type === 'authorization_code';
    const { tokens, grant } = isCode ? await this.redeem(form, sent) : await this.refresh(form, sent);
    const details = grant.body.details.map(grantedDetail);
    return {
      access_token: tokens.accessToken,
      token_type: sent.jkt === null ? 'Bearer' : 'DPoP',
      expires_in: LIFETIMES.accessToken / 1000,
      refresh_token: sent.client.refresh === false ? undefined : tokens.refreshToken,
      scope: scopeText(tokens.scopes, grant.body.ucpNames),
      ...(details.length > 0 && { authorization_details: details }),
    };
  }

  /** The key of the request's proof; null where there is none and none is required. Nothing has been used up yet. */
  private async keyOf({ client }: ClientRequest, request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const jkt = await this.proofs.keyOf(request, reply);
    const isRequired = this.settings.requiresDpop === true || client.requireDpop === true;
    if (jkt === null && isRequired) throw new OAuthError('dpop_proof_missing');
    return jkt;
  }

  private async redeem(form: CodeRequest, sent: ProvenRequest): Promise<Issued> {
    const { code, grant } = await this.redeemCode.find(form, sent);
    const { redirectUri, codeChallenge } = code.body;
    const redeem = () => this.redeemCode.redeem(code, sent);
    const issuing = this.issuing(grant, sent, () => {
      throw new OAuthError('code_invalid');
    });
    // OAuth 2.1 clients leave out the redirect URI. Where one was sent, it has been compared already.
    const whole = { ...form, redirect_uri: redirectUri, client_id: sent.client.clientId };
    const found = { redirectUri, codeChallenge, scopes: grant.body.scopes, redeem };
    return { grant, tokens: await redeemWithLibrary(whole, found, issuing) };
  }

  private async refresh(form: RefreshRequest, sent: ProvenRequest): Promise<Issued> {
    const grant = await this.useRefreshToken.find(form.refresh_token, sent);
    const issuing = this.issuing(grant, sent, () => this.useRefreshToken.refuseReuse(form.refresh_token, sent));
    const whole = { ...form, client_id: sent.client.clientId };
    return { grant, tokens: await refreshWithLibrary(whole, grant.body.scopes, issuing) };
  }

  /** `refuse`: what to do where the grant was revoked or rotated since it was read. */
  private issuing(
    grant: Document<Grant>,
    { parameters, urls, jkt: sentJkt }: ProvenRequest,
    refuse: () => never | Promise<never>,
  ): Issuing {
    const { holder, clientId, resources: granted } = grant.body;
    const resources = checkResources(parameters, urls, granted);
    const jkt = sentJkt ?? undefined;
    return {
      generateAccessToken: async (wanted) => {
        const scopes = SCOPES.filter((scope) => wanted.includes(scope));
        const content = { grantId: grant.id, holder, clientId, scopes, resources, jkt };
        return signAccessToken(content, { urls, now: this.clock.now(), key: await this.keys.current() });
      },
      generateRefreshToken: () => newRefreshToken(grant.id, grant.body),
      save: async (refreshToken) => {
        // Of every client: a secret may be stolen with the token, and would lead out of the binding (RFC 9449 §5).
        if (!(await this.grants.rotate(grant, refreshToken, jkt))) await refuse();
      },
    };
  }
}
