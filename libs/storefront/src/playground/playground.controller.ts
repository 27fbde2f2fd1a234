import { Controller, Get, Req, Res } from '@nestjs/common';
import { ErrorsAs } from '#http';
import { pageErrors, parametersOf } from '#identity';
import { Clock } from '#kernel';
import { OAuthError, OAuthSettings } from '#oauth';
import { AnswersPages, type Asset, type Page } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts, type Return } from './attempts.js';
import { PilotClient } from './pilot-client.js';
import { browserOf, knownBrowser, playgroundCsrf } from './playground-browser.js';
import { authorizationParameters, boundOnlyPage, choosePage, chosenScopes, requestPage } from './request.page.js';
import { refusedPage, rejectedReturnPage, returnedPage } from './return.page.js';
import { SCRIPT, SCRIPT_NAME } from './steps.page.js';

/** `{auth_url}/oauth/playground`: leads a person through the whole flow, and on to a purchase. */
@AnswersPages()
@ErrorsAs(pageErrors)
@Controller()
export class PlaygroundController {
  constructor(
    private readonly attempts: Attempts,
    private readonly pilot: PilotClient,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {}

  /** The registered redirect URI: the start, and where the answer comes back to. @throws RequestError `parameter_flawed` */
  @Get('oauth/playground')
  async show(@Req() request: FastifyRequest): Promise<Page> {
    const { urls } = request;
    const parameters = parametersOf(queryOf(request));
    parameters.requireWellFormed();
    const code = parameters.optional('code');
    const error = parameters.optional('error');
    if (this.settings.requiresDpop === true) return boundOnlyPage(urls);
    if (code === undefined && error === undefined) return choosePage(urls);
    const from = { browserId: knownBrowser(request), state: parameters.optional('state') ?? '' };
    try {
      checkIssuer(parameters.optional('iss'), request);
      if (error === undefined) return await this.returned(code ?? '', from, request);
      await this.attempts.fail(from);
      return refusedPage(error, parameters.optional('error_description') ?? '', urls);
    } catch (refused) {
      if (!(refused instanceof OAuthError)) throw refused;
      return rejectedReturnPage(urls);
    }
  }

  /** A new attempt, and the authorization request that begins it. */
  @Get('oauth/playground/pedido')
  async request(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Page> {
    const { urls } = request;
    if (this.settings.requiresDpop === true) return boundOnlyPage(urls);
    const attempt = await this.attempts.begin(browserOf(request, reply));
    const scopes = chosenScopes(queryOf(request));
    return requestPage(authorizationParameters({ ...attempt, clientId: this.pilot.clientId, scopes, urls }), urls);
  }

  @Get(`assets/${SCRIPT_NAME}`)
  script(): Asset {
    return SCRIPT;
  }

  private async returned(code: string, from: Return, { urls }: FastifyRequest): Promise<Page> {
    await this.attempts.arrive(from, code);
    const nextYear = Number(this.clock.now().slice(0, 4)) + 1;
    const csrf = playgroundCsrf(from.browserId ?? '');
    return returnedPage({ code, state: from.state, csrf, cardExpiry: `12/${nextYear}`, urls });
  }
}

/** The raw query: a parsed one would hide which parameters are repeated. */
const queryOf = ({ url, urls }: FastifyRequest): URLSearchParams => new URL(url, urls.auth).searchParams;

/** Checks that the answer comes from the server that was asked (RFC 9207 §2.4). @throws OAuthError `authorization_request_gone` */
const checkIssuer = (issuer: string | undefined, { urls }: FastifyRequest): void => {
  if (issuer !== urls.auth) throw new OAuthError('authorization_request_gone');
};
