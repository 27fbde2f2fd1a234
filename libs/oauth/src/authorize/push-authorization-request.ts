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

/**
 * `POST /oauth/par` (RFC 9126): checks and stores the authorization request of an authenticated client, so that nobody can
 * read or alter it on its way through the browser, which only brings its address.
 */
@Injectable()
export class PushAuthorizationRequest {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly requests: AuthorizationRequests,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly proofs: DpopProofs,
  ) {}

  /**
   * A proof binds the code as `dpop_jkt` does (RFC 9449 §10.1).
   *
   * @throws OAuthError those of the client's authentication, of an authorization request and of a proof, and
   *   `dpop_jkt_of_another_key`; Unavailable
   */
  async push(request: FastifyRequest, reply: FastifyReply): Promise<PushedRequest> {
    const { client, parameters, urls } = await this.clients.requestOf(request);
    const against = { urls, now: this.clock.now(), newId: () => this.ids.next() };
    const checked = checkPushedRequest(parameters, client, against);
    const dpopJkt = (await this.proofs.keyOf(request, reply)) ?? checked.dpopJkt;
    if (checked.dpopJkt !== undefined && checked.dpopJkt !== dpopJkt) throw new OAuthError('dpop_jkt_of_another_key');
    const signedBy = signerOf(request.signature, checked.redirectUri);
    const id = await this.requests.push({ ...checked, ...(dpopJkt !== undefined && { dpopJkt }), ...signedBy });
    return { request_uri: `${PREFIX}${id}`, expires_in: LIFETIMES.pushedRequest / 1000 };
  }
}

/**
 * The host whose agent signed a pushed request, where the answer goes to that same host: then whoever asks and whoever gets
 * the code is known to be one. A signature that does not cover this very body, or could be sent again, says nothing of it
 * (docs/adr/0111-agents-sign-their-requests.md).
 */
const signerOf = (signature: RequestSignature | null, redirectUri: string): Pick<AuthorizationRequest, 'signedBy'> => {
  if (signature?.outcome !== 'verified' || !signature.coversRequest) return {};
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' && host === signature.host ? { signedBy: host } : {};
};

/**
 * The id of the pushed request that an authorization request names; null: it names none. Whatever else stands beside its
 * request URI changes nothing (RFC 9101 §6.3).
 *
 * @throws OAuthError `request_object_unsupported` where it carries a request object too (RFC 9101 §5)
 */
export const pushedIdIn = (parameters: Parameters): string | null => {
  const requestUri = parameters.optional('request_uri');
  if (!requestUri?.startsWith(PREFIX)) return null;
  if (parameters.optional('request') !== undefined) throw new OAuthError('request_object_unsupported');
  return requestUri.slice(PREFIX.length);
};
