import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#http';
import { Clock, SYSTEM, upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Accounts } from '../accounts/accounts.js';
import { type AccountRegistration, IdentitySettings } from '../identity-settings.js';
import type { Parameters } from '../parameters.js';
import { SecurityLog } from '../security-log.js';
import type { Sessions } from '../sessions.js';
import { LoginFailures } from './login-failures.js';
import type { RefusedLogin } from './login.page.js';

/** Throttled logins written an hour and account, and accounts whose are counted. */
const [WRITTEN_AN_HOUR, COUNTED] = [20, 1_000];

/** The outcome of an attempt. `retryAfter`: seconds to wait where the password was not even compared. */
type LoginOutcome = { readonly holder: string } | { readonly holder: null; readonly retryAfter: number | null };

/** Logins. Failures slow them down by account and address, and by address alone (docs/decisions.md, Limits). */
@Injectable()
export class LoginService {
  /** By account and hour. */
  private readonly written = new LRUCache<string, number>(upTo(COUNTED));

  constructor(
    private readonly clock: Clock,
    private readonly accounts: Accounts,
    private readonly failures: LoginFailures,
    private readonly rates: RateLimiter,
    private readonly securityLog: SecurityLog,
    private readonly settings: IdentitySettings,
  ) {}

  /** Logs in with what a form says, under a new session; null. Or what was refused, for the page that says so. */
  async logIn(
    fields: Parameters,
    sessions: Sessions,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<RefusedLogin | null> {
    const email = fields.optional('username') ?? '';
    const outcome = await this.attempt({ email, password: fields.optional('password') ?? '' }, request);
    if (outcome.holder !== null) {
      await sessions.logIn(outcome.holder, request, reply);
      return null;
    }
    const { retryAfter } = outcome;
    if (retryAfter !== null) void reply.header('retry-after', retryAfter.toString());
    return { email, retryAfter };
  }

  /** Takes the same steps and the same time for an unknown account. @throws DomainError `service_unavailable` */
  private async attempt(credentials: AccountRegistration, request: FastifyRequest): Promise<LoginOutcome> {
    const { address } = request;
    const limited = this.rates.wait('logIns', address);
    if (limited > 0) return { holder: null, retryAfter: limited };
    this.rates.count('logIns', address);

    const { wait, isLastFree } = await this.failures.begin(credentials.email, address);
    if (wait > 0) return { holder: null, retryAfter: wait };
    const holder = await this.prove(credentials, address);
    if (holder !== null) {
      await this.failures.forget(credentials.email, address);
      return { holder };
    }
    // Not awaited: the time it takes, or that nothing is written, would reveal who has an account.
    if (isLastFree) void this.recordThrottled(credentials.email, request);
    return { holder: null, retryAfter: null };
  }

  private async prove(credentials: AccountRegistration, address: string | null): Promise<string | null> {
    try {
      return await this.accounts.authenticate(credentials, address);
    } catch (error) {
      await this.failures.takeBack(credentials.email, address);
      throw error;
    }
  }

  /** What became of the login is known: a log that does not take the record changes nothing of the answer. */
  private async recordThrottled(email: string, { cause, log }: FastifyRequest): Promise<void> {
    const count = this.settings.loginFailures;
    try {
      const holder = await this.accounts.holderOf(email);
      if (!this.isWritten(holder)) return;
      await this.securityLog.record(
        (throttledAt) => ({ type: 'LoginThrottled', data: { holder, count, throttledAt } }),
        SYSTEM,
        cause,
      );
    } catch (error) {
      log.error({ err: error }, 'a throttled login was not recorded');
    }
  }

  /** So many an hour of each account, and of all together that do not exist: nothing ever leaves the log. */
  private isWritten(holder: string | null): boolean {
    const key = `${holder ?? 'nobody'} ${this.clock.now().slice(0, 13)}`;
    const written = this.written.get(key) ?? 0;
    this.written.set(key, written + 1);
    return written < WRITTEN_AN_HOUR;
  }
}
