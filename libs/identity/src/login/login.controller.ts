import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ErrorsAs } from '#http';
import { ApiExcludeController } from '@nestjs/swagger';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageErrors } from '../protocol-error.format.js';
import { RequestError } from '../protocol-error.js';
import { Visitors } from '../sessions/visitors.js';
import { formOf, sendOn } from './forms.js';
import { loggedOutPage } from './login.page.js';
import { LoginService } from './login-service.js';
import { LoginPages } from './login-pages.js';
import { ReturnTargets } from './return-targets.js';

/** In and out, on the way to something. */
@ApiExcludeController()
@ErrorsAs(pageErrors)
@Controller('oauth')
export class LoginController {
  constructor(
    private readonly pages: LoginPages,
    private readonly logIns: LoginService,
    private readonly visitors: Visitors,
    private readonly targets: ReturnTargets,
  ) {}

  @Post('login')
  async logIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { to, fields } = formOf(request, this.targets);
    if (to === null) throw new RequestError('parameter_missing');
    const email = fields.optional('username') ?? '';
    const outcome = await this.logIns.attempt({ email, password: fields.optional('password') ?? '' }, request);
    if (outcome.holder === null) {
      const { retryAfter } = outcome;
      if (retryAfter !== null) void reply.header('retry-after', retryAfter.toString());
      const visitor = await this.visitors.of(request, reply);
      sendPage(reply, await this.pages.page(to, visitor, request.urls, { email, retryAfter }));
      return;
    }
    await this.visitors.logIn(outcome.holder, request, reply);
    sendOn(reply, this.targets.pathTo(to));
  }

  @Post('logout')
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { to } = formOf(request, this.targets);
    await this.visitors.logOut(request, reply);
    sendOn(reply, to ? this.targets.pathTo(to) : '/oauth/logout');
  }

  @Get('logout')
  left(@Req() { urls }: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(reply, loggedOutPage(urls));
  }
}
