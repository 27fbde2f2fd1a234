import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import type { Page } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '#oauth';
import { parametersOf } from '#identity';
import { Attempts } from './attempts.js';
import { authorizationParameters, choosePage, chosenScopes, requestPage } from './request.page.js';
import { PilotClient } from './pilot-client.js';
import { browserOf, knownBrowser, playgroundCsrf } from './playground-browser.js';
import { refusedPage, returnedPage, rejectedReturnPage } from './return.page.js';

/** What a visitor of the playground is shown. */
@Injectable()
export class PlaygroundPages {
  constructor(
    private readonly attempts: Attempts,
    private readonly pilot: PilotClient,
    private readonly clock: Clock,
  ) {}

  /** A new attempt, and the authorization request it begins with. */
  async request(query: URLSearchParams, request: FastifyRequest, reply: FastifyReply): Promise<Page> {
    const { urls } = request;
    const attempt = await this.attempts.begin(browserOf(request, reply));
    const requested = { ...attempt, clientId: this.pilot.clientId, scopes: chosenScopes(query), urls };
    return requestPage(authorizationParameters(requested), urls);
  }

  /** The registered redirect URI: where to start, and where the answer comes back to. @throws OAuthError `parameter_flawed` */
  async show(query: URLSearchParams, request: FastifyRequest): Promise<Page> {
    const parameters = parametersOf(query);
    parameters.requireSound();
    const code = parameters.optional('code');
    const error = parameters.optional('error');
    if (code === undefined && error === undefined) return choosePage(request.urls);
    const from = { browserId: knownBrowser(request), state: parameters.optional('state') ?? '' };
    try {
      checkIssuer(parameters.optional('iss'), request);
      if (error === undefined) return await this.returned(code ?? '', from, request);
      await this.attempts.fail(from);
      return refusedPage(error, parameters.optional('error_description') ?? '', request.urls);
    } catch (refused) {
      if (!(refused instanceof OAuthError)) throw refused;
      return rejectedReturnPage(request.urls);
    }
  }

  private async returned(
    code: string,
    { browserId, state }: { readonly browserId: string | null; readonly state: string },
    { urls }: FastifyRequest,
  ): Promise<Page> {
    await this.attempts.arrive({ browserId, state }, code);
    const nextYear = Number(this.clock.now().slice(0, 4)) + 1;
    return returnedPage({ code, state, csrf: playgroundCsrf(browserId ?? ''), cardExpiry: `12/${nextYear}`, urls });
  }
}

/** The answer comes from the server that was asked (RFC 9207 §2.4). @throws OAuthError `authorization_request_gone` */
const checkIssuer = (issuer: string | undefined, { urls }: FastifyRequest): void => {
  if (issuer !== urls.auth) throw new OAuthError('authorization_request_gone');
};
