import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Accounts } from './accounts/accounts.js';
import { AuthorizationRequests } from './authorize/authorization-requests.js';
import { Consents } from './authorize/consents.js';
import { Clients } from './clients/clients.js';
import { DemoLeftoversCheck } from './demo-leftovers.js';
import { AuthorizationCodes } from './grants/authorization-codes.js';
import { Grants } from './grants/grants.js';
import { SigningKeys } from './keys/signing-keys.js';
import { LoginFailures } from './login/login-failures.js';
import { OAuthSettings } from './oauth-settings.js';
import { Sessions } from './sessions/sessions.js';

/** What must be there before the first request: collections, a signing key, the clients and travellers of the configuration. */
@Injectable()
export class OAuthStart implements OnModuleInit {
  constructor(
    private readonly settings: OAuthSettings,
    private readonly keys: SigningKeys,
    private readonly clients: Clients,
    private readonly accounts: Accounts,
    private readonly requests: AuthorizationRequests,
    private readonly codes: AuthorizationCodes,
    private readonly grants: Grants,
    private readonly consents: Consents,
    private readonly sessions: Sessions,
    private readonly failures: LoginFailures,
    private readonly leftovers: DemoLeftoversCheck,
  ) {}

  /** Safe to run again, and beside another process that starts. @throws SealBroken, DemoLeftovers */
  async onModuleInit(): Promise<void> {
    const { clients, accounts, requests, codes, grants, consents, sessions, failures } = this;
    const collections = [clients, accounts, requests, codes, grants, consents, sessions, failures];
    for (const collection of collections) await collection.prepare();
    await this.keys.start();
    for (const client of this.settings.clients) await clients.ensure(client);
    for (const account of this.settings.accounts) await accounts.ensure(account);
    await this.leftovers.run();
  }
}
