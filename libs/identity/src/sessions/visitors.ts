import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Instant, plus } from '#kernel';
import { Accounts } from '../accounts/accounts.js';
import { RECENT_LOGIN } from '../identity-settings.js';
import { newSecret } from '../secrets.js';
import { sessionCookie, sessionIdIn } from './session-cookie.js';
import { Sessions } from './sessions.js';

/** Somebody who is logged in. */
export interface Traveller {
  readonly holder: string;
  readonly email: string;
  /** When they showed their password. */
  readonly loggedInAt: Instant;
}

/** Who visits a page: a browser, and the traveller logged in there, if any. */
export interface Visitor {
  readonly sessionId: string;
  readonly traveller: Traveller | null;
}

/** Whether a traveller showed their password so lately that they may decide about money (docs/decisions.md, Test processor). */
export const isRecent = ({ loggedInAt }: Traveller, now: Instant): boolean => now <= plus(loggedInAt, RECENT_LOGIN);

/** Browsers and who is logged in there. */
@Injectable()
export class Visitors {
  constructor(
    private readonly sessions: Sessions,
    private readonly accounts: Accounts,
  ) {}

  /** The visitor of a request; a browser without a session id gets one, which stands for nobody. */
  async of(request: FastifyRequest, reply: FastifyReply): Promise<Visitor> {
    const known = sessionIdIn(request.headers.cookie, request.urls);
    if (known !== null) return { sessionId: known, traveller: await this.traveller(known) };
    const sessionId = newSecret();
    void reply.header('set-cookie', sessionCookie(sessionId, request.urls));
    return { sessionId, traveller: null };
  }

  /** Logs a holder in, under a new session id. */
  async logIn(holder: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.forget(request);
    void reply.header('set-cookie', sessionCookie(await this.sessions.begin(holder), request.urls));
  }

  /** Ends the session; the browser goes on under an id that stands for nobody. */
  async logOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.forget(request);
    void reply.header('set-cookie', sessionCookie(newSecret(), request.urls));
  }

  /** Who is logged in under a session id; nobody where the account is gone. */
  private async traveller(sessionId: string): Promise<Traveller | null> {
    const session = await this.sessions.find(sessionId);
    const email = session && (await this.accounts.emailOf(session.holder));
    return session && email !== null ? { ...session, email } : null;
  }

  private async forget({ headers, urls }: FastifyRequest): Promise<void> {
    const known = sessionIdIn(headers.cookie, urls);
    if (known !== null) await this.sessions.end(known);
  }
}
