import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#http';
import { type Cause, SYSTEM } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { Accounts } from '../accounts/accounts.js';
import { type AccountRegistration, IdentitySettings } from '../identity-settings.js';
import { SecurityLog } from '../security-log.js';
import { LoginFailures } from './login-failures.js';

/** The outcome of a login. `retryAfter`: seconds to wait where the password was not even compared. */
export type LoginOutcome = { readonly holder: string } | { readonly holder: null; readonly retryAfter: number | null };

/** Logins. Failures slow them down by account and address, and by address alone (docs/decisions.md, Limits). */
@Injectable()
export class LoginService {
  constructor(
    private readonly accounts: Accounts,
    private readonly failures: LoginFailures,
    private readonly rates: RateLimiter,
    private readonly securityLog: SecurityLog,
    private readonly settings: IdentitySettings,
  ) {}

  /** Takes the same steps and the same time for an unknown account. @throws DomainError `service_unavailable` */
  async attempt(credentials: AccountRegistration, { address, cause }: FastifyRequest): Promise<LoginOutcome> {
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
    if (isLastFree) await this.recordThrottled(credentials.email, cause);
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

  private async recordThrottled(email: string, cause: Cause): Promise<void> {
    const holder = await this.accounts.holderOf(email);
    const count = this.settings.loginFailures;
    await this.securityLog.record(
      (throttledAt) => ({ type: 'LoginThrottled', data: { holder, count, throttledAt } }),
      SYSTEM,
      cause,
    );
  }
}
