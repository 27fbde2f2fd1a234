import { Controller, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ErrorsAs } from '#http';
import {
  csrfToken,
  formWith,
  newSecret,
  pageErrors,
  type Parameters,
  parametersOf,
  protocolErrors,
  sessionIdIn,
  setSessionId,
} from '#identity';
import { Clock, plus } from '#kernel';
import { OAuthError, OAuthSettings } from '#oauth';
import { AnswersPages, type Asset, type Page } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts, type Return } from './attempts.js';
import { type Exchange, PilotClient } from './pilot-client.js';
import {
  authorizationParameters,
  boundOnlyPage,
  choosePage,
  chosenScopes,
  playgroundAddress,
  requestPage,
} from './request.page.js';
import { refusedPage, rejectedReturnPage, returnedPage } from './return.page.js';
import { SCRIPT, SCRIPT_NAME } from './steps.page.js';
import { ApiExcludeController } from '@nestjs/swagger';

/** The playground knows a browser by a cookie of its own: a login between request and return renews the session's. */
const COOKIE = 'alcada_playground';
const SUBJECT = 'playground';
/** How far ahead (ms) the flight that is filled in leaves, so that a cancellation at once gives everything back. */
const WEEKS_AHEAD = 20 * 86_400_000;

const knownBrowser = (request: FastifyRequest): string | null => sessionIdIn(request, COOKIE);

/** The id of the browser that sent a request. A browser without an id gets one. */
const browserOf = (request: FastifyRequest, reply: FastifyReply): string => {
  const known = knownBrowser(request);
  if (known !== null) return known;
  const browserId = newSecret();
  setSessionId(reply, browserId, COOKIE);
  return browserId;
};

/** The token that the page's script sends with each of its requests. */
const playgroundCsrf = (browserId: string): string => csrfToken(browserId, SUBJECT);

/** The fields that the page's script sent, once they are proven to be ours. @throws RequestError `parameter_flawed`, `form_forged` */
export const fieldsOf = (request: FastifyRequest): Parameters => formWith(SUBJECT, knownBrowser(request), request);

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
    if (code === undefined && error === undefined) return choosePage(urls, this.settings.shownAccount ?? null);
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
    const parameters = authorizationParameters({ ...attempt, clientId: this.pilot.clientId, scopes, urls });
    return requestPage(parameters, urls, this.settings.shownAccount ?? null);
  }

  @Get(`assets/${SCRIPT_NAME}`)
  script(): Asset {
    return SCRIPT;
  }

  private async returned(code: string, from: Return, { urls }: FastifyRequest): Promise<Page> {
    await this.attempts.arrive(from, code);
    const now = this.clock.now();
    const days = {
      cardExpiry: `12/${Number(now.slice(0, 4)) + 1}`,
      departureDate: plus(now, WEEKS_AHEAD).slice(0, 10),
    };
    const csrf = playgroundCsrf(from.browserId ?? '');
    return returnedPage({ code, state: from.state, csrf, days, urls });
  }
}

/** The raw query: a parsed one would hide which parameters are repeated. */
const queryOf = ({ url, urls }: FastifyRequest): URLSearchParams => new URL(url, urls.auth).searchParams;

/** Checks that the answer comes from the server that was asked (RFC 9207 §2.4). @throws OAuthError `authorization_request_gone` */
const checkIssuer = (issuer: string | undefined, { urls }: FastifyRequest): void => {
  if (issuer !== urls.auth) throw new OAuthError('authorization_request_gone');
};

/** The pilot's token requests; secret and verifier stay here. Anybody may refresh: it counts as public (docs/decisions.md). */
@ApiExcludeController()
@ErrorsAs(protocolErrors)
@Controller('oauth/playground')
export class PlaygroundTokensController {
  constructor(
    private readonly attempts: Attempts,
    private readonly pilot: PilotClient,
  ) {}

  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async token(@Req() request: FastifyRequest): Promise<Exchange> {
    const fields = fieldsOf(request);
    const code = fields.required('code');
    const from = { browserId: knownBrowser(request), state: fields.required('state') };
    const verifier = await this.attempts.take(from, code);
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: playgroundAddress(request.urls),
      code_verifier: verifier,
    };
    return this.pilot.post('/oauth/token', form, request);
  }

  @Post('refresh')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  refresh(@Req() request: FastifyRequest): Promise<Exchange> {
    const form = { grant_type: 'refresh_token', refresh_token: fieldsOf(request).required('token') };
    return this.pilot.post('/oauth/token', form, request);
  }

  @Post('revoke')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  revoke(@Req() request: FastifyRequest): Promise<Exchange> {
    const form = { token: fieldsOf(request).required('token'), token_type_hint: 'access_token' };
    return this.pilot.post('/oauth/revoke', form, request);
  }
}
