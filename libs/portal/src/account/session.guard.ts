import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { BaseUrls } from '#http';
import { isAbout, LoginPages, pageErrors, type Session, Sessions, visited, VisitGuard } from '#identity';
import { Clock } from '#kernel';
import type { Page } from '#site';
import { notFoundPage } from './layout/account-page.js';
import { pathTo, type ReturnTarget } from './layout/return-targets.js';

@Injectable()
class SessionGuard extends VisitGuard<ReturnTarget> {
  constructor(
    reflector: Reflector,
    sessions: Sessions,
    clock: Clock,
    private readonly logins: LoginPages,
  ) {
    super(reflector, sessions, clock);
  }

  protected override decides({ kind }: ReturnTarget): boolean {
    return kind !== 'notices' && kind !== 'pause_all';
  }

  protected override pathTo(to: ReturnTarget): string {
    return pathTo(to);
  }

  protected override loginPage(to: ReturnTarget, session: Session, urls: BaseUrls): Promise<Page> {
    return this.logins.page(to, session, urls);
  }
}

/** What a page, or the form on it, is about: a login leads back there. `id`: as the path has it. */
export const IsAbout = (target: (id: string) => ReturnTarget) => isAbout(({ id = '' }) => target(id));

export const AccountPages = (path: string) =>
  visited(path, {
    guard: SessionGuard,
    notFound: ['invalid_cursor', 'mandate_forbidden', 'mandate_not_found', 'order_not_found', 'ticket_not_found'],
    notFoundPage: ({ session, urls }) => notFoundPage(session, urls),
    errors: pageErrors,
  });
