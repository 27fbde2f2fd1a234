import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorsAs } from '#http';
import { formWith, LoginService, parametersOf, Sessions, subjectOf } from '#identity';
import { AnswersPages, type Asset, type Page, type SeeOther } from '#site';
import { auditorErrors, auditorLoginPage, REPLAY_ASSET, REPLAY_SCRIPT_NAME } from '../layout/auditor-page.js';
import { pathTo, targetIn } from '../layout/return-targets.js';

/** The auditors' login and logout, and what their pages load. */
@AnswersPages()
@ErrorsAs(auditorErrors)
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
    const refused = await this.logins.logIn(fields, this.sessions, request, reply);
    if (refused)
      return auditorLoginPage(to, { session: await this.sessions.of(request, reply), urls: request.urls }, refused);
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
