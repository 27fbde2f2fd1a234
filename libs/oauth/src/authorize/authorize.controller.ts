import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ErrorsAs } from '#http';
import { decisionIn, formOf, isRecent, LoginPages, RequestError, ReturnTargets, sendOn, Visitors } from '#identity';
import { Clock } from '#kernel';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorizationErrors } from './authorization-response.js';
import { AuthorizeEndpoint } from './authorize-endpoint.js';
import { capIn } from './cap-field.js';
import { ConsentDecision } from './consent-decision.js';
import { ConsentPages, consentPath } from './consent-pages.js';

/** Where an agent sends its traveller, and where the traveller decides. */
@ApiExcludeController()
@ErrorsAs(authorizationErrors)
@Controller('oauth')
export class AuthorizeController {
  constructor(
    private readonly endpoint: AuthorizeEndpoint,
    private readonly pages: ConsentPages,
    private readonly decision: ConsentDecision,
    private readonly visitors: Visitors,
    private readonly logins: LoginPages,
    private readonly targets: ReturnTargets,
    private readonly clock: Clock,
  ) {}

  @Get('authorize')
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // The raw query: a parsed one would hide which parameters are repeated.
    const { searchParams } = new URL(request.url, request.urls.auth);
    await this.show(await this.endpoint.take(searchParams, request.urls), request, reply);
  }

  /** The same request after a login or a logout. */
  @Get('consent/:request')
  async consent(
    @Param('request') requestId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.show(requestId, request, reply);
  }

  /** The traveller's decision. Only `decision=approve` is one for the agent. */
  @Post('consent')
  async decide(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { to, fields } = formOf(request, this.targets);
    if (to?.kind !== 'request') throw new RequestError('parameter_missing');
    const visitor = await this.visitors.of(request, reply);
    const traveller = await this.endpoint.travellerOf(to.id, visitor);
    if (traveller === null) {
      // The session ended while the page was open, or a required login was skipped.
      sendOn(reply, consentPath(to.id));
      return;
    }
    const decider = { holder: traveller.holder, cause: request.cause, urls: request.urls };
    if (decisionIn(fields) === 'deny') {
      sendOn(reply, await this.decision.deny(to.id, decider));
      return;
    }
    const entry = fields.entered('cap');
    const cap = entry === undefined ? undefined : capIn(entry);
    if (cap === 'unreadable') {
      sendPage(reply, await this.pages.page(to.id, { ...visitor, traveller }, request.urls, entry));
      return;
    }
    const isFresh = isRecent(traveller, this.clock.now());
    if (cap !== undefined && !isFresh && (await this.pages.isLooser(to.id, traveller.holder, cap))) {
      // A session left open may let an agent in under the cap it has, not above it.
      sendPage(reply, { ...(await this.logins.page(to, visitor, request.urls)), status: 403 });
      return;
    }
    sendOn(reply, await this.decision.approve(to.id, decider, cap));
  }

  private async show(requestId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const visitor = await this.visitors.of(request, reply);
    const next = await this.endpoint.next(requestId, { visitor, urls: request.urls, cause: request.cause });
    if ('page' in next) sendPage(reply, next.page);
    else sendOn(reply, next.location);
  }
}
