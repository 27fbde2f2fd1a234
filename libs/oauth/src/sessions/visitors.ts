import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newSecret } from '../secrets.js';
import { sessionCookie, sessionIdIn } from './session-cookie.js';
import { Sessions } from './sessions.js';

/** Who visits a page: a browser, and the traveller logged in there, if any. */
export interface Visitor {
  readonly sessionId: string;
  readonly holder: string | null;
}

/** Browsers and who is logged in there. */
@Injectable()
export class Visitors {
  constructor(private readonly sessions: Sessions) {}

  /** The visitor of a request; a browser without a session id gets one, which stands for nobody. */
  async of(request: FastifyRequest, reply: FastifyReply): Promise<Visitor> {
    const known = sessionIdIn(request.headers.cookie, request.links);
    if (known !== null) return { sessionId: known, holder: (await this.sessions.find(known))?.holder ?? null };
    const sessionId = newSecret();
    void reply.header('set-cookie', sessionCookie(sessionId, request.links));
    return { sessionId, holder: null };
  }

  /** Logs a holder in, under a new session id. */
  async logIn(holder: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.forget(request);
    void reply.header('set-cookie', sessionCookie(await this.sessions.begin(holder), request.links));
  }

  /** Ends the session; the browser goes on under an id that stands for nobody. */
  async logOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.forget(request);
    void reply.header('set-cookie', sessionCookie(newSecret(), request.links));
  }

  private async forget({ headers, links }: FastifyRequest): Promise<void> {
    const known = sessionIdIn(headers.cookie, links);
    if (known !== null) await this.sessions.end(known);
  }
}
