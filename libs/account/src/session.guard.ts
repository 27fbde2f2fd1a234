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
import { type BaseUrls, type ErrorFormat, ErrorsAs } from '#http';
import {
  formAbout,
  isRecent,
  LoginPages,
  pageErrors,
  type Parameters,
  parametersOf,
  type Session,
  Sessions,
} from '#identity';
import { Clock, type Context, DomainError, type ErrorCode, type Instant } from '#kernel';
import { AnswersPages, type Page, type SeeOther, sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFoundPage } from './layout/account-page.js';
import { pathTo, type ReturnTarget } from './layout/return-targets.js';

/** A traveller on a page of their own. */
export interface Visit {
  readonly holder: string;
  readonly session: Session;
  readonly urls: BaseUrls;
  readonly now: Instant;
  /** The traveller's own act: no agent takes part in it. */
  readonly context: Context;
}

const TARGET_KEY = 'alcada:return-target';
const visits = new WeakMap<FastifyRequest, Visit>();

/** What a page, or the form on it, is about: a login leads back there. `id`: as the path has it. */
export const IsAbout = (target: (id: string) => ReturnTarget) => SetMetadata(TARGET_KEY, target);

/**
 * Lets travellers in, by the browser's own session and never by a token. A form must be sent from our own page about the
 * same thing, in a login so recent that it may decide about money.
 */
@Injectable()
class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly logins: LoginPages,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** @throws LoginNeeded, RequestError `parameter_flawed`, `form_forged` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest<{ Params: { readonly id?: string } }>>();
    const target = this.reflector.get<(id: string) => ReturnTarget>(TARGET_KEY, context.getHandler());
    const to = target(request.params.id ?? '');
    const isForm = request.method === 'POST';
    if (isForm) formAbout(to, request);
    const session = await this.sessions.of(request, http.getResponse<FastifyReply>());
    const { traveller } = session;
    const now = this.clock.now();
    // The session ended while the page was open: the same address asks for the login.
    if (isForm && !traveller) throw new LoginNeeded({ location: pathTo(to) });
    if (!traveller || (isForm && !isRecent(traveller, now)))
      throw new LoginNeeded(await this.logins.page(to, session, request.urls));
    const { holder } = traveller;
    const actor = { holder, clientId: null };
    visits.set(request, { holder, session, urls: request.urls, now, context: { actor, ...request.cause } });
    return true;
  }
}

/** Nobody is logged in, or not recently enough: the way to the login. */
class LoginNeeded extends Error {
  constructor(readonly answer: Page | SeeOther) {
    super('login needed');
  }
}

/** There is nothing at this address for this traveller. */
export class NotFound extends Error {}

const NOT_FOUND: readonly ErrorCode[] = ['invalid_cursor', 'mandate_forbidden', 'mandate_not_found', 'order_not_found'];

/** Whether what a traveller asked for is unknown, or another holder's: nobody can tell one from the other. */
const isNotFound = (error: unknown): boolean =>
  error instanceof NotFound || (error instanceof DomainError && NOT_FOUND.includes(error.code));

const accountErrors: ErrorFormat = (error, request) => {
  const visit = visits.get(request);
  if (error instanceof LoginNeeded) return answered('login_needed', error.answer);
  if (visit && isNotFound(error)) return answered('not_found', notFoundPage(visit.session, visit.urls));
  return pageErrors(error, request);
};

const answered = (code: string, answer: Page | SeeOther): ReturnType<ErrorFormat> => ({
  status: 'status' in answer ? answer.status : 303,
  code,
  cause: undefined,
  retryAfter: undefined,
  send: (reply) => sendPage(reply, answer),
});

/** A controller of the travellers' own pages, below `path`. */
export const AccountPages = (path: string) =>
  applyDecorators(Controller(path), UseGuards(SessionGuard), AnswersPages(), ErrorsAs(accountErrors));

const visitOf = (request: FastifyRequest): Visit => {
  const visit = visits.get(request);
  if (!visit) throw new Error('a handler outside the account asked for its visit');
  return visit;
};

/** Parameter of an account page: the `Visit`. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext) =>
  visitOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Parameter of an account page: the fields of its form, which the guard has proven ours. */
export const FormFields = createParamDecorator((_: unknown, context: ExecutionContext): Parameters =>
  parametersOf(context.switchToHttp().getRequest<FastifyRequest>().body),
);
