import { Controller, Post, Req, Res } from '@nestjs/common';
import { ErrorsAs } from '#http';
import { ApiExcludeController } from '@nestjs/swagger';
import { Clock } from '#kernel';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { decisionIn, formOf, isRecent, LoginPages, pageErrors, ReturnTargets, sendOn, Visitors } from '#identity';
import { AuthorizeEndpoint } from './authorize-endpoint.js';
import { capIn } from './cap-entry.js';
import { ConsentPages } from './consent-pages.js';
import { consentPath } from './consent-target.js';
import { Decide } from './decide.js';

/** The traveller's decision. Only `decision=approve` is one for the agent. */
@ApiExcludeController()
@ErrorsAs(pageErrors)
@Controller('oauth')
export class ConsentController {
  constructor(
    private readonly endpoint: AuthorizeEndpoint,
    private readonly pages: ConsentPages,
    private readonly decide: Decide,
    private readonly visitors: Visitors,
    private readonly logins: LoginPages,
    private readonly targets: ReturnTargets,
    private readonly clock: Clock,
  ) {}

  @Post('consent')
  async decided(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { to, fields } = formOf(request, this.targets);
    if (to?.kind !== 'request') throw new OAuthError('parameter_missing');
    const visitor = await this.visitors.of(request, reply);
    const traveller = await this.endpoint.travellerOf(to.id, visitor);
    if (traveller === null) {
      // The session ended while the page stood there, or a login was asked for and skipped.
      sendOn(reply, consentPath(to.id));
      return;
    }
    const by = { holder: traveller.holder, cause: request.cause, urls: request.urls };
    if (decisionIn(fields) === 'deny') {
      sendOn(reply, await this.decide.deny(to.id, by));
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
    sendOn(reply, await this.decide.approve(to.id, by, cap));
  }
}
