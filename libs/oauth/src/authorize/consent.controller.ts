import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { PageErrorFilter } from '../oauth-error.filter.js';
import { Visitors } from '../sessions/visitors.js';
import { AuthorizeEndpoint } from './authorize-endpoint.js';
import { capIn } from './cap-entry.js';
import { Decide } from './decide.js';
import { consentPath, formOf, sendOn } from './forms.js';

/** The traveller's decision. Only `decision=approve` is one for the agent. */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('oauth')
export class ConsentController {
  constructor(
    private readonly endpoint: AuthorizeEndpoint,
    private readonly decide: Decide,
    private readonly visitors: Visitors,
  ) {}

  @Post('consent')
  async decided(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { requestId, fields } = formOf(request);
    const visitor = await this.visitors.of(request, reply);
    const { holder } = visitor;
    if (holder === null) {
      // The session ended while the page stood there.
      sendOn(reply, consentPath(requestId));
      return;
    }
    const by = { holder, httpRequestId: request.id, links: request.links };
    switch (fields.optional('decision')) {
      case 'approve': {
        const entry = fields.entered('cap');
        const cap = entry === undefined ? undefined : capIn(entry);
        if (cap === 'unreadable') {
          sendPage(reply, await this.endpoint.page(requestId, visitor, request.links, { cap: entry }));
          return;
        }
        sendOn(reply, await this.decide.approve(requestId, by, cap));
        return;
      }
      case 'deny':
        sendOn(reply, await this.decide.deny(requestId, by));
        return;
      default:
        throw new OAuthError('decision_unknown');
    }
  }
}
