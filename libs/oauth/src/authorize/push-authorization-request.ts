import { Injectable } from '@nestjs/common';
import type { RequestSignature } from '#http';
import type { Parameters } from '#identity';
import { Clock, Ids } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { DpopProofs } from '../dpop/dpop-proofs.js';
import { OAuthError } from '../oauth-error.js';
import { LIFETIMES } from '../oauth-settings.js';
import { type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';
import { checkPushedRequest } from './check-authorization-request.js';

/** What the request URI of a pushed request begins with (RFC 9126 §2.2); its id follows. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** The answer to a pushed request (RFC 9126 §2.2). `expires_in` in seconds. */
export interface PushedRequest {
  readonly request_uri: string;
  readonly expires_in: number;
}

/** `POST /oauth/par` (RFC 9126): stores a request, so that nobody can read or alter it on its way through the browser. */
@Injectable()
export class PushAuthorizationRequest {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly requests: AuthorizationRequests,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly proofs: DpopProofs,
  ) {}

  /** A proof binds the code as `dpop_jkt` does (RFC 9449 §10.1). @throws OAuthError of client, request and proof; Unavailable */
  async push(request: FastifyRequest, reply: FastifyReply): Promise<PushedRequest> {
    const { client, parameters, urls } = await this.clients.requestOf(request);
    const against = { urls, now: this.clock.now(), newId: () => this.ids.next() };
    const checked = checkPushedRequest(parameters, client, against);
    const dpopJkt = (await this.proofs.keyOf(request, reply)) ?? checked.dpopJkt;
    if (checked.dpopJkt !== undefined && checked.dpopJkt !== dpopJkt) throw new OAuthError('dpop_jkt_of_another_key');
    const signedBy = signerOf(request.signature, checked.redirectUri);
    const asked = { ...checked, ...(dpopJkt !== undefined && { dpopJkt }), ...signedBy };
    const id = await this.requests.push(asked, request.address);
    return { request_uri: `${PREFIX}${id}`, expires_in: LIFETIMES.pushedRequest / 1000 };
  }
}

/** The host that signed this very body, fresh, and where the answer goes too; otherwise nothing (docs/adr/0111). */
const signerOf = (signature: RequestSignature | null, redirectUri: string): Pick<AuthorizationRequest, 'signedBy'> => {
  if (signature?.outcome !== 'verified' || !signature.coversRequest) return {};
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' && host === signature.host ? { signedBy: host } : {};
};

/** The pushed request's id; null: none is named (RFC 9101 §6.3). @throws OAuthError `request_object_unsupported` (§5) */
export const pushedIdIn = (parameters: Parameters): string | null => {
  const requestUri = parameters.optional('request_uri');
  if (!requestUri?.startsWith(PREFIX)) return null;
  if (parameters.optional('request') !== undefined) throw new OAuthError('request_object_unsupported');
  return requestUri.slice(PREFIX.length);
};
