import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorsAs } from '#http';
import { AnswersPages, type Page, type SeeOther } from '#site';
import { pageErrors, RequestError } from '../protocol-error.js';
import { Sessions } from '../sessions.js';
import { formOf } from './forms.js';
import { LoginService } from './login-service.js';
import { loggedOutPage, LoginPages } from './login.page.js';
import { ReturnTargets } from './return-targets.js';

@AnswersPages()
@ErrorsAs(pageErrors)
@Controller('oauth')
export class LoginController {
  constructor(
    private readonly pages: LoginPages,
    private readonly logins: LoginService,
    private readonly sessions: Sessions,
    private readonly targets: ReturnTargets,
  ) {}

  @Post('login')
  async logIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page | SeeOther> {
    const { to, fields } = formOf(request, this.targets);
    if (to === null) throw new RequestError('parameter_missing');
    const refused = await this.logins.logIn(fields, this.sessions, request, reply);
    if (refused) return this.pages.page(to, await this.sessions.of(request, reply), request.urls, refused);
    return { location: this.targets.pathTo(to) };
  }

  @Post('logout')
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<SeeOther> {
    const { to } = formOf(request, this.targets);
    await this.sessions.logOut(request, reply);
    return { location: to ? this.targets.pathTo(to) : '/oauth/logout' };
  }

  @Get('logout')
  loggedOut(@Req() { urls }: FastifyRequest): Page {
    return loggedOutPage(urls);
  }
}
