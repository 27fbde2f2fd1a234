import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import { Clock, type Context, type Instant } from '#kernel';
import { formAbout, isRecent, LoginPages, sendOn, type Visitor, Visitors } from '#identity';
import { type Page, sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotFound, notFoundPage } from './not-found.page.js';
import { pathTo, type ReturnTarget } from './return-targets.js';

/** A traveller on a page of their own. */
export interface Visit {
  readonly holder: string;
  readonly visitor: Visitor;
  readonly urls: BaseUrls;
  readonly now: Instant;
}

/** A form that a traveller sent from such a page. */
export interface SubmittedForm extends Visit {
  readonly fields: ReturnType<typeof formAbout>;
  /** The traveller's own act: no agent takes part in it. */
  readonly context: Context;
}

/**
 * Who may see and do what on the travellers' own pages. Only the browser's own session counts, never a token. What is
 * another holder's is to everybody else what nobody knows.
 */
@Injectable()
export class Visits {
  constructor(
    private readonly logins: LoginPages,
    private readonly visitors: Visitors,
    private readonly clock: Clock,
  ) {}

  /** Shows what is at `to`: to nobody the login, which leads there. */
  async show(
    to: ReturnTarget,
    request: FastifyRequest,
    reply: FastifyReply,
    page: (visit: Visit) => Promise<Page>,
  ): Promise<void> {
    const visitor = await this.visitors.of(request, reply);
    const visit = this.visitOf(visitor, request);
    if (visit === null) sendPage(reply, await this.logins.page(to, visitor, request.urls));
    else sendPage(reply, await this.found(visit, () => page(visit)));
  }

  /**
   * Does what the form about `to` asks for, in a login so recent that it may decide about money. `deed` answers where the
   * browser goes next, or a page that says what is wrong.
   *
   * @throws OAuthError `parameter_flawed`, `form_forged`
   */
  async act(
    to: ReturnTarget,
    request: FastifyRequest,
    reply: FastifyReply,
    deed: (deed: SubmittedForm) => Promise<string | Page>,
  ): Promise<void> {
    const fields = formAbout(to, request);
    const visitor = await this.visitors.of(request, reply);
    const visit = this.visitOf(visitor, request);
    if (visit === null || visitor.traveller === null) {
      // The session ended while the page stood there: the same address asks for the login.
      sendOn(reply, pathTo(to));
      return;
    }
    if (!isRecent(visitor.traveller, visit.now)) {
      sendPage(reply, await this.logins.page(to, visitor, request.urls));
      return;
    }
    const context = { actor: { holder: visit.holder, clientId: null }, ...request.cause };
    const next = await this.found(visit, () => deed({ ...visit, fields, context }));
    if (typeof next === 'string') sendOn(reply, next);
    else sendPage(reply, next);
  }

  private visitOf(visitor: Visitor, { urls }: FastifyRequest): Visit | null {
    return visitor.traveller && { holder: visitor.traveller.holder, visitor, urls, now: this.clock.now() };
  }

  private async found<Next>({ visitor, urls }: Visit, next: () => Promise<Next>): Promise<Next | Page> {
    try {
      return await next();
    } catch (error) {
      if (isNotFound(error)) return notFoundPage(visitor, urls);
      throw error;
    }
  }
}
