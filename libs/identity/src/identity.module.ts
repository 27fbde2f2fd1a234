import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Accounts } from './accounts/accounts.js';
import { Passwords } from './accounts/passwords.js';
import { IdentitySettings, Realm, TRAVELLERS } from './identity-settings.js';
import { LoginController } from './login/login.controller.js';
import { LoginFailures } from './login/login-failures.js';
import { LoginPages } from './login/login.page.js';
import { LoginService } from './login/login-service.js';
import { ReturnTargets } from './login/return-targets.js';
import { SecurityLog } from './security-log.js';
import { Sessions } from './sessions.js';

/** Prepares the collections and the travellers of the configuration. Safe to run again, and while another process starts. */
@Injectable()
class IdentityStart implements OnModuleInit {
  constructor(
    private readonly settings: IdentitySettings,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly failures: LoginFailures,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const collection of [this.accounts, this.sessions, this.failures]) await collection.prepare();
    for (const account of this.settings.accounts) await this.accounts.ensure(account);
  }
}

/** Accounts, logins and sessions of travellers. Pages behind a login register with `ReturnTargets`. Wants `SiteModule` globally. */
@Module({
  controllers: [LoginController],
  providers: [
    IdentityStart,
    { provide: Realm, useValue: TRAVELLERS },
    ...[Accounts, Passwords, Sessions, SecurityLog],
    ...[LoginFailures, LoginService, LoginPages, ReturnTargets],
  ],
  exports: [Accounts, LoginPages, Passwords, ReturnTargets, SecurityLog, Sessions],
})
export class IdentityModule {}
