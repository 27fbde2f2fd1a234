import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ErrorsAs } from '#http';
import { formWith, LoginService, pageErrors, parametersOf, Sessions, subjectOf } from '#identity';
import { AnswersPages, type Asset, type Page, type SeeOther } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REPLAY_ASSET, REPLAY_SCRIPT_NAME } from '../layout/assets.js';
import { auditorLoginPage } from '../layout/auditor-page.js';
import { pathTo, targetIn } from '../layout/return-targets.js';

/** The auditors' login and logout, and what their pages load. */
@AnswersPages()
@ErrorsAs(pageErrors)
@Controller()
export class AuditorLoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: Sessions,
  ) {}

  @Post('auditoria/entrar')
  async logIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page | SeeOther> {
    const to = targetIn(parametersOf(request.body));
    const fields = formWith(subjectOf(to), this.sessions.idIn(request), request);
    const email = fields.optional('username') ?? '';
    const outcome = await this.logins.attempt({ email, password: fields.optional('password') ?? '' }, request);
    if (outcome.holder === null) {
      const { retryAfter } = outcome;
      if (retryAfter !== null) void reply.header('retry-after', retryAfter.toString());
      const session = await this.sessions.of(request, reply);
      return auditorLoginPage(to, { session, urls: request.urls }, { email, retryAfter });
    }
    await this.sessions.logIn(outcome.holder, request, reply);
    return { location: pathTo(to) };
  }

  @Post('auditoria/sair')
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<SeeOther> {
    formWith(subjectOf(null), this.sessions.idIn(request), request);
    await this.sessions.logOut(request, reply);
    return { location: '/auditoria' };
  }

  @Get(`assets/${REPLAY_SCRIPT_NAME}`)
  script(): Asset {
    return REPLAY_ASSET;
  }
}
