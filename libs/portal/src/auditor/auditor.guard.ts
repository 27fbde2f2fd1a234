import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import {
  isAbout,
  NotFound,
  type PathParameters,
  type Session,
  Sessions,
  type Visit,
  visited,
  VisitGuard,
} from '#identity';
import { Clock } from '#kernel';
import type { Page } from '#site';
import { auditorErrors, auditorLoginPage, nothingPage } from './layout/auditor-page.js';
import { type AuditTarget, HOME, pathTo } from './layout/return-targets.js';
import { RecordView } from './record-view.js';

/** What can be an id of ours. Nothing else names anything, and nothing else is written down. */
const ID = /^[\w.-]{1,128}$/;

/** Lets auditors in, by a session of their own realm alone. What they look at is in the log before it is shown. */
@Injectable()
class AuditorGuard extends VisitGuard<AuditTarget> {
  constructor(
    reflector: Reflector,
    sessions: Sessions,
    clock: Clock,
    private readonly commands: CommandBus,
  ) {
    super(reflector, sessions, clock);
  }

  protected override pathTo(to: AuditTarget): string {
    return pathTo(to);
  }

  protected override loginPage(to: AuditTarget, session: Session, urls: BaseUrls): Page {
    return auditorLoginPage(ID.test(to.id) ? to : HOME, { session, urls });
  }

  /** Forms here only ask. */
  protected override decides(): boolean {
    return false;
  }

  /** @throws NotFound, DomainError `rate_limited`, Unavailable */
  protected override async enter({ kind, id }: AuditTarget, { holder: auditor, context }: Visit): Promise<void> {
    if (!ID.test(id)) throw new NotFound();
    const subject = kind === 'home' || kind === 'search' ? null : id;
    const { actor: _, ...cause } = context;
    await this.commands.execute(new RecordView({ auditor, page: kind, subject }, cause));
  }
}

/** What a page is about, by the parameters of its path: a login leads back there, and this is what is written down. */
export const IsAbout = (target: (parameters: PathParameters) => AuditTarget) => isAbout(target);

export const AuditorPages = (path: string) =>
  visited(path, {
    guard: AuditorGuard,
    notFound: ['invalid_cursor'],
    notFoundPage: nothingPage,
    errors: auditorErrors,
  });
