import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ErrorsAs, LimitedBy } from '#http';
import { decisionIn, formOf, isRecent, LoginPages, RequestError, ReturnTargets, Sessions } from '#identity';
import { Clock } from '#kernel';
import { AnswersPages } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorizationErrors } from './authorization-response.js';
import { AuthorizeEndpoint, type NextStep } from './authorize-endpoint.js';
import { modeEntered } from './approval-mode.js';
import { capEntered } from './cap-field.js';
import { ConsentDecision } from './consent-decision.js';
import { ConsentPages } from './consent-pages.js';
import { consentPath } from './consent-target.js';
import { stepped } from './amount-number.js';

/** The authorization endpoint, to which an agent sends its traveller, and the traveller's decision. */
@AnswersPages()
@ErrorsAs(authorizationErrors)
@Controller('oauth')
export class AuthorizeController {
  constructor(
    private readonly endpoint: AuthorizeEndpoint,
    private readonly pages: ConsentPages,
    private readonly decision: ConsentDecision,
    private readonly sessions: Sessions,
    private readonly logins: LoginPages,
    private readonly targets: ReturnTargets,
    private readonly clock: Clock,
  ) {}

  @Get('authorize')
  @LimitedBy('authorizations')
  async authorize(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<NextStep> {
    // The raw query: a parsed one would hide which parameters are repeated.
    const { searchParams } = new URL(request.url, request.urls.auth);
    return this.next(await this.endpoint.take(searchParams, request), request, reply);
  }

  /** The same request after a login or a logout. */
  @Get('consent/:request')
  consent(
    @Param('request') requestId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NextStep> {
    return this.next(requestId, request, reply);
  }

  /** The traveller's decision. Nothing but `decision=approve` lets the agent in. */
  @Post('consent')
  async decide(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<NextStep> {
    const { to, fields: sent } = formOf(request, this.targets);
    if (to?.kind !== 'request') throw new RequestError('parameter_missing');
    const session = await this.sessions.of(request, reply);
    const traveller = await this.endpoint.travellerOf(to.id, session);
    // The session ended while the page was open, or a required login was skipped.
    if (traveller === null) return { location: consentPath(to.id) };
    const decider = { holder: traveller.holder, cause: request.cause, urls: request.urls };
    // One of its buttons that decide nothing was pressed.
    const isLook = sent.optional('decision') === undefined && sent.optional('step') !== undefined;
    const fields = isLook ? stepped(sent) : sent;
    if (!isLook && decisionIn(fields) === 'deny') return { location: await this.decision.deny(to.id, decider) };
    const cap = capEntered(fields)?.cap;
    const visit = { ...session, traveller };
    if (cap === 'unreadable' || cap === 'torn')
      return this.pages.page(to.id, visit, request.urls, { fields, problem: null });
    const granted = await this.pages.grantedIn(to.id, traveller.holder, fields, cap);
    if (!('details' in granted)) return this.pages.page(to.id, visit, request.urls, granted);
    const { details } = granted;
    if (isLook) return this.pages.page(to.id, visit, request.urls, { fields, problem: null });
    if (!(await this.pages.isAsShown(to.id, traveller.holder, fields)))
      return this.pages.page(to.id, visit, request.urls, { fields, problem: null, isChanged: true });
    const asksFirst = modeEntered(fields);
    const isLooser = await this.pages.isLooser(to.id, traveller.holder, { cap, asksFirst });
    if ((isLooser || details.length > 0) && !isRecent(traveller, this.clock.now())) {
      // An older login may authorize an agent as far as it may spend already, but grant it no money.
      return { ...(await this.logins.page(to, session, request.urls)), status: 403 };
    }
    if (cap !== undefined && fields.entered('confirm') === undefined) {
      const ending = await this.pages.ending(to.id, visit, request.urls, cap, fields);
      if (ending) return ending;
    }
    return { location: await this.decision.approve(to.id, decider, { cap, asksFirst, details }) };
  }

  private async next(requestId: string, request: FastifyRequest, reply: FastifyReply): Promise<NextStep> {
    return this.endpoint.next(requestId, await this.sessions.of(request, reply), request);
  }
}
