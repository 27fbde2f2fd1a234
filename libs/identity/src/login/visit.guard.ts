import {
  applyDecorators,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type BaseUrls, type ErrorFormat, ErrorsAs } from '#http';
import { Clock, type Context, DomainError, type ErrorCode, type Instant } from '#kernel';
import { AnswersPages, type Page, type SeeOther, sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Parameters, parametersOf } from '../parameters.js';
import { isRecent, type Session, Sessions } from '../sessions.js';
import { formWith, subjectOf } from './forms.js';
import type { ReturnTarget } from './return-targets.js';

export interface Visit {
  /** The traveller, or the auditor. */
  readonly holder: string;
  readonly session: Session;
  readonly urls: BaseUrls;
  readonly now: Instant;
  /** Their own act: no agent takes part in it. */
  readonly context: Context;
}

export type PathParameters = Readonly<Record<string, string | undefined>>;

const TARGET_KEY = 'alcada:return-target';
const visits = new WeakMap<FastifyRequest, Visit>();

/** What a page, or the form on it, is about, by the parameters of its path: a login leads back there. */
export const isAbout = (target: (parameters: PathParameters) => ReturnTarget) => SetMetadata(TARGET_KEY, target);

/** Lets people in by a session of the realm alone. A form comes from our page on the same thing, after a recent login. */
@Injectable()
export abstract class VisitGuard<To extends ReturnTarget> implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** @throws LoginNeeded, RequestError `parameter_flawed`, `form_forged`, and what `enter` throws */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest<{ Params: PathParameters }>>();
    const to = this.reflector.get<(parameters: PathParameters) => To>(TARGET_KEY, context.getHandler())(request.params);
    const isForm = request.method === 'POST';
    if (isForm) formWith(subjectOf(to), this.sessions.idIn(request), request);
    const session = await this.sessions.of(request, http.getResponse<FastifyReply>());
    const { traveller } = session;
    const { urls, cause } = request;
    const now = this.clock.now();
    // The session ended while the page was open: the same address asks for the login.
    if (isForm && !traveller) throw new LoginNeeded({ location: this.pathTo(to) });
    if (!traveller || (isForm && this.decides(to) && !isRecent(traveller, now))) {
      throw new LoginNeeded(await this.loginPage(to, session, urls));
    }
    const { holder } = traveller;
    const visit = { holder, session, urls, now, context: { actor: { holder, clientId: null }, ...cause } };
    visits.set(request, visit);
    await this.enter?.(to, visit);
    return true;
  }

  /** Whether a form about this decides anything: then the login has to be a recent one. */
  protected decides(_to: To): boolean {
    return true;
  }

  protected abstract pathTo(to: To): string;
  protected abstract loginPage(to: To, session: Session, urls: BaseUrls): Page | Promise<Page>;
  /** What is done before a page is shown. It may refuse to. */
  protected enter?(to: To, visit: Visit): Promise<void>;
}

/** Nobody is logged in, or not recently enough: the way to the login. */
class LoginNeeded extends Error {
  constructor(readonly answer: Page | SeeOther) {
    super('login needed');
  }
}

/** There is nothing at this address for who is logged in. */
export class NotFound extends Error {}

export interface VisitedPages {
  readonly guard: Type<CanActivate>;
  /** The refusals that mean that there is nothing: what is unknown and what is somebody else's look the same. */
  readonly notFound: readonly ErrorCode[];
  readonly notFoundPage: (visit: Visit) => Page;
  readonly errors: ErrorFormat;
}

/** Decorates a controller of pages behind a login, below `path`. */
export const visited = (path: string, { guard, notFound, notFoundPage, errors }: VisitedPages) => {
  const isNotFound = (error: unknown): boolean =>
    error instanceof NotFound || (error instanceof DomainError && notFound.includes(error.code));
  const answers: ErrorFormat = (error, request) => {
    const visit = visits.get(request);
    if (error instanceof LoginNeeded) return answered('login_needed', error.answer);
    if (visit && isNotFound(error)) return answered('not_found', notFoundPage(visit));
    return errors(error, request);
  };
  return applyDecorators(Controller(path), UseGuards(guard), AnswersPages(), ErrorsAs(answers));
};

const answered = (code: string, answer: Page | SeeOther): ReturnType<ErrorFormat> => ({
  status: 'status' in answer ? answer.status : 303,
  code,
  cause: undefined,
  retryAfter: undefined,
  send: (reply) => sendPage(reply, answer),
});

const requestIn = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit => {
  const visit = visits.get(requestIn(context));
  if (!visit) throw new Error('a handler that no login guards asked for its visit');
  return visit;
});

/** Parameter of a page behind a login: the fields of its form, which the guard has proven ours. */
export const FormFields = createParamDecorator((_: unknown, context: ExecutionContext): Parameters =>
  parametersOf(requestIn(context).body),
);
