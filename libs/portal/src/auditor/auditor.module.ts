import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { MandateModule, MandatePurposesModule } from '#mandate';
import { Documents } from '#documents';
import { Accounts, AUDITORS, IdentityModule, LoginFailures, LoginService, Passwords, Realm, Sessions } from '#identity';
import { Ids } from '#kernel';
import { OAuthModule } from '#oauth';
import { OrderModule } from '#order';
import { AuditorLoginController } from './login/auditor-login.controller.js';
import { MonthsController } from './months/months.controller.js';
import { AgentsNamed, MovementsController } from './movements/movements.controller.js';
import { Movements } from './movements/movements.js';
import { RecordViewHandler } from './record-view.js';
import { ListsController } from './lists/lists.controller.js';
import { AuditedMandatesController } from './replay/mandates.controller.js';
import { MandateReplays } from './replay/replay-mandate.js';
import { Subjects, TravellerAccounts } from './search/subjects.js';
import { TicketedOrders } from './search/ticketed-orders.js';
import { SearchController } from './search/search.controller.js';
import { Places } from './story/places.js';
import { Stories } from './story/stories.js';
import { StoriesController } from './story/stories.controller.js';

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

/** The auditors' pages, with a realm of their own that no other module is given. Wants what `IdentityModule` does. */
@Module({
  imports: [IdentityModule, MandateModule, MandatePurposesModule, OAuthModule, OrderModule],
  controllers: [
    AuditorLoginController,
    SearchController,
    AuditedMandatesController,
    ListsController,
    MovementsController,
    MonthsController,
    StoriesController,
  ],
  providers: [
    AuditorStart,
    { provide: Realm, useValue: AUDITORS },
    ...[Accounts, Sessions, LoginFailures, LoginService],
    {
      provide: TravellerAccounts,
      useFactory: (documents: Documents, ids: Ids, passwords: Passwords) => new Accounts(documents, ids, passwords),
      inject: [Documents, Ids, Passwords],
    },
    ...[AgentsNamed, Movements],
    ...[Places, RecordViewHandler, Subjects, MandateReplays, Stories, TicketedOrders],
  ],
})
export class AuditorModule {}
