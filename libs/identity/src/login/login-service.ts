import { Injectable } from '@nestjs/common';
import { RateLimiter } from '#http';
import { type Cause, SYSTEM } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { Accounts } from '../accounts/accounts.js';
import { type AccountRegistration, IdentitySettings } from '../identity-settings.js';
import { SecurityLog } from '../security-log.js';
import { LoginFailures } from './login-failures.js';

/** How a login ended. `retryAfter`: seconds to wait first, where the password was not even compared. */
export type LoginOutcome = { readonly holder: string } | { readonly holder: null; readonly retryAfter: number | null };

/** Logins, slowed down where they fail (docs/decisions.md, Limits): by account and address, and by address alone. */
@Injectable()
export class LoginService {
  constructor(
    private readonly accounts: Accounts,
    private readonly failures: LoginFailures,
    private readonly rates: RateLimiter,
    private readonly securityLog: SecurityLog,
    private readonly settings: IdentitySettings,
  ) {}

  /** It goes the same way, in the same time, for an account that is not there. @throws DomainError `service_unavailable` */
  async attempt(shown: AccountRegistration, { address, cause }: FastifyRequest): Promise<LoginOutcome> {
    const tooMany = this.rates.wait('logIns', address);
    if (tooMany > 0) return { holder: null, retryAfter: tooMany };
    this.rates.count('logIns', address);

    const { wait, isLastFree } = await this.failures.begin(shown.email, address);
    if (wait > 0) return { holder: null, retryAfter: wait };
    const holder = await this.judged(shown, address);
    if (holder !== null) {
      await this.failures.forget(shown.email, address);
      return { holder };
    }
    if (isLastFree) await this.tellThrottled(shown.email, cause);
    return { holder: null, retryAfter: null };
  }

  private async judged(shown: AccountRegistration, address: string | null): Promise<string | null> {
    try {
      return await this.accounts.holderProvenBy(shown, address);
    } catch (error) {
      await this.failures.takeBack(shown.email, address);
      throw error;
    }
  }

  private async tellThrottled(email: string, cause: Cause): Promise<void> {
    const holder = await this.accounts.holderOf(email);
    const count = this.settings.loginFailures;
    await this.securityLog.record(
      (throttledAt) => ({ type: 'LoginThrottled', data: { holder, count, throttledAt } }),
      SYSTEM,
      cause,
    );
  }
}
