import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Accounts, AUDITORS, IdentityModule, LoginFailures, LoginService, Realm, Sessions } from '#identity';
import { OAuthModule } from '#oauth';
import { AuditorLoginController } from './login/auditor-login.controller.js';
import { RecordViewHandler } from './record-view.js';
import { FindSubjectsHandler } from './search/find-subjects.js';
import { SearchController } from './search/search.controller.js';

/** Prepares the collections of the auditors' accounts and logins. */
@Injectable()
class AuditorStart implements OnModuleInit {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly failures: LoginFailures,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const collection of [this.accounts, this.sessions, this.failures]) await collection.prepare();
  }
}

/**
 * The auditors' pages, with accounts, logins and sessions of a realm of their own: the instances that stand here are those
 * of auditors, and no other module is given them. Needs what `IdentityModule` needs.
 */
@Module({
  imports: [IdentityModule, OAuthModule],
  controllers: [AuditorLoginController, SearchController],
  providers: [
    AuditorStart,
    { provide: Realm, useValue: AUDITORS },
    ...[Accounts, Sessions, LoginFailures, LoginService],
    ...[RecordViewHandler, FindSubjectsHandler],
  ],
})
export class AuditorModule {}
