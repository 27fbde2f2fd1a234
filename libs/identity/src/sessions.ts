import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Collection, Documents } from '#documents';
import { Clock, type Instant, plus } from '#kernel';
import { Accounts } from './accounts/accounts.js';
import { Realm, RECENT_LOGIN, SESSION_LIFE, TRAVELLERS } from './identity-settings.js';
import { hashOf, newSecret } from './secrets.js';

/** Somebody who is logged in. */
export interface Traveller {
  readonly holder: string;
  readonly email: string;
  readonly loggedInAt: Instant;
}

/** The session of a browser: its id, and the traveller who is logged in there; null: nobody. */
export interface Session {
  readonly id: string;
  readonly traveller: Traveller | null;
}

/** Whether a traveller entered their password so recently that they may decide about money (docs/decisions.md, Test processor). */
export const isRecent = ({ loggedInAt }: Traveller, now: Instant): boolean => now <= plus(loggedInAt, RECENT_LOGIN);

const SESSION_ID = /^[A-Za-z0-9_-]{43}$/;

const isSecure = ({ urls }: Pick<FastifyRequest, 'urls'>): boolean => urls.auth.startsWith('https:');

/** Over https the name itself binds the cookie to this very host (RFC 6265bis §4.1.3.2). */
const cookieName = (request: Pick<FastifyRequest, 'urls'>, name: string): string =>
  `${isSecure(request) ? '__Host-' : ''}${name}`;

/** The id in the browser's cookie, or null. Only a value that we can have set ourselves counts. */
export const sessionIdIn = (
  request: Pick<FastifyRequest, 'cookies' | 'urls'>,
  name = TRAVELLERS.cookie,
): string | null => {
  const id = request.cookies[cookieName(request, name)] ?? '';
  return SESSION_ID.test(id) ? id : null;
};

/** Sets the browser's cookie. `Lax`: a strict cookie would not be sent when the browser arrives from the client. */
export const setSessionId = (reply: FastifyReply, id: string, name = TRAVELLERS.cookie): void => {
  const { request } = reply;
  const maxAge = SESSION_LIFE / 1000;
  const options = { path: '/', maxAge, httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const;
  void reply.setCookie(cookieName(request, name), id, options);
};

const storedLogin = z.object({ holder: z.string(), loggedInAt: z.string() });
type Login = z.infer<typeof storedLogin>;

/** The sessions of browsers in a realm: twelve hours, stored under a hash of the id, and only where somebody is logged in. */
@Injectable()
export class Sessions {
  private readonly stored: Collection<Login>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly accounts: Accounts,
    private readonly realm: Realm = TRAVELLERS,
  ) {
    this.stored = new Collection(documents, { name: realm.sessions, indexes: [{ fields: ['holder'] }] }, storedLogin);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** The session of a request. A browser without a session id gets one, in which nobody is logged in. */
  async of(request: FastifyRequest, reply: FastifyReply): Promise<Session> {
    const known = this.idIn(request);
    if (known !== null) return { id: known, traveller: await this.traveller(known) };
    const id = newSecret();
    setSessionId(reply, id, this.realm.cookie);
    return { id, traveller: null };
  }

  idIn(request: FastifyRequest): string | null {
    return sessionIdIn(request, this.realm.cookie);
  }

  /** Logs a holder in, under a new session id. */
  async logIn(holder: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.end(request);
    setSessionId(reply, await this.begin(holder), this.realm.cookie);
  }

  /** Ends the session. The browser gets a new id, in which nobody is logged in. */
  async logOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.end(request);
    setSessionId(reply, newSecret(), this.realm.cookie);
  }

  /** Stores a login under a new id, so that an id planted before the login is worth nothing. */
  async begin(holder: string): Promise<string> {
    const now = this.clock.now();
    const id = newSecret();
    await this.stored.insert(hashOf(id), { holder, loggedInAt: now }, { expiresAt: plus(now, SESSION_LIFE) });
    return id;
  }

  async find(id: string): Promise<Login | null> {
    return (await this.stored.get(hashOf(id)))?.body ?? null;
  }

  /** Logs a holder out of every browser; returns from how many. */
  endAll(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }

  /** Logs everybody out; returns from how many browsers. */
  endEvery(): Promise<number> {
    return this.stored.clear();
  }

  /** Who is logged in under a session id; null also where the account has been removed. */
  async traveller(id: string): Promise<Traveller | null> {
    const login = await this.find(id);
    const email = login && (await this.accounts.emailOf(login.holder));
    return login && email !== null ? { ...login, email } : null;
  }

  private async end(request: FastifyRequest): Promise<void> {
    const known = this.idIn(request);
    if (known !== null) await this.stored.delete(hashOf(known));
  }
}
