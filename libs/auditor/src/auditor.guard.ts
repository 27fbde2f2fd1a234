import {
  applyDecorators,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { type ErrorFormat, ErrorsAs } from '#http';
import { pageErrors, Sessions } from '#identity';
import { DomainError, type ErrorCode } from '#kernel';
import { AnswersPages, type Page, sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Audience, auditorLoginPage, nothingPage } from './layout/auditor-page.js';
import { type AuditTarget, HOME } from './layout/return-targets.js';
import { RecordView } from './record-view.js';

type Parameters = Readonly<Record<string, string | undefined>>;

const TARGET_KEY = 'alcada:audit-target';
const audiences = new WeakMap<FastifyRequest, Audience>();

/** What a page is about, by the parameters of its path: a login leads back there, and this is what is written down. */
export const IsAbout = (target: (parameters: Parameters) => AuditTarget) => SetMetadata(TARGET_KEY, target);

/** What can be an id of ours. Nothing else names anything, and nothing else is written down. */
const ID = /^[\w.-]{1,128}$/;

/**
 * Lets auditors in, by a session of their own realm: a traveller's session or an agent's token is none. What they look at is
 * in the log before it is shown.
 */
@Injectable()
class AuditorGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly commands: CommandBus,
  ) {}

  /** @throws LoginNeeded, NotFound, DomainError `rate_limited`, Unavailable */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest<{ Params: Parameters }>>();
    const target = this.reflector.get<(parameters: Parameters) => AuditTarget>(TARGET_KEY, context.getHandler());
    const to = target(request.params);
    const session = await this.sessions.of(request, http.getResponse<FastifyReply>());
    const audience = { session, urls: request.urls };
    const auditor = session.traveller?.holder;
    if (auditor === undefined) throw new LoginNeeded(auditorLoginPage(ID.test(to.id) ? to : HOME, audience));
    audiences.set(request, audience);
    if (!ID.test(to.id)) throw new NotFound();
    const subject = to.kind === 'home' || to.kind === 'search' ? null : to.id;
    await this.commands.execute(new RecordView({ auditor, page: to.kind, subject }, request.cause));
    return true;
  }
}

/** No auditor is logged in: the way to the login. */
class LoginNeeded extends Error {
  constructor(readonly page: Page) {
    super('login needed');
  }
}

/** There is nothing at this address. */
export class NotFound extends Error {}

const NOT_FOUND: readonly ErrorCode[] = ['invalid_cursor'];

const isNotFound = (error: unknown): boolean =>
  error instanceof NotFound || (error instanceof DomainError && NOT_FOUND.includes(error.code));

const auditorErrors: ErrorFormat = (error, request) => {
  const audience = audiences.get(request);
  if (error instanceof LoginNeeded) return answered('login_needed', error.page);
  if (audience && isNotFound(error)) return answered('not_found', nothingPage(audience));
  return pageErrors(error, request);
};

const answered = (code: string, page: Page): ReturnType<ErrorFormat> => ({
  status: page.status,
  code,
  cause: undefined,
  retryAfter: undefined,
  send: (reply) => sendPage(reply, page),
});

/** A controller of the auditors' pages, below `path`. */
export const AuditorPages = (path: string) =>
  applyDecorators(Controller(path), UseGuards(AuditorGuard), AnswersPages(), ErrorsAs(auditorErrors));

/** Parameter of an auditor's page: the `Audience`. */
export const CurrentAudience = createParamDecorator((_: unknown, context: ExecutionContext): Audience => {
  const audience = audiences.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!audience) throw new Error('a handler outside the auditors’ pages asked for its audience');
  return audience;
});
