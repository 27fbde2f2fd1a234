import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Accounts } from '../accounts/accounts.js';
import { PageErrorFilter } from '../oauth-error.filter.js';
import { Visitors } from '../sessions/visitors.js';
import { AuthorizeEndpoint } from './authorize-endpoint.js';
import { consentPath, formOf, sendOn } from './forms.js';

/** In and out, in the middle of an authorization request. */
@ApiExcludeController()
@UseFilters(PageErrorFilter)
@Controller('oauth')
export class LoginController {
  constructor(
    private readonly endpoint: AuthorizeEndpoint,
    private readonly accounts: Accounts,
    private readonly visitors: Visitors,
  ) {}

  @Post('login')
  async logIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { requestId, fields } = formOf(request);
    const email = fields.optional('username') ?? '';
    const holder = await this.accounts.holderProvenBy(email, fields.optional('password') ?? '');
    if (holder === null) {
      const visitor = await this.visitors.of(request, reply);
      sendPage(reply, await this.endpoint.page(requestId, visitor, request.links, { email }));
      return;
    }
    await this.visitors.logIn(holder, request, reply);
    sendOn(reply, consentPath(requestId));
  }

  @Post('logout')
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { requestId } = formOf(request);
    await this.visitors.logOut(request, reply);
    sendOn(reply, consentPath(requestId));
  }
}
