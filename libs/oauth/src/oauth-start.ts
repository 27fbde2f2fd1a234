import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuthorizationRequests } from './authorize/authorization-requests.js';
import { Consents } from './authorize/consents.js';
import { Clients } from './clients/clients.js';
import { DemoLeftoversCheck } from './demo-leftovers.js';
import { AuthorizationCodes } from './grants/authorization-codes.js';
import { Grants } from './grants/grants.js';
import { SigningKeys } from './keys/signing-keys.js';
import { OAuthSettings } from './oauth-settings.js';

/** What must be there before the first request: collections, a signing key, the clients of the configuration. */
@Injectable()
export class OAuthStart implements OnModuleInit {
  constructor(
    private readonly settings: OAuthSettings,
    private readonly keys: SigningKeys,
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly codes: AuthorizationCodes,
    private readonly grants: Grants,
    private readonly consents: Consents,
    private readonly leftovers: DemoLeftoversCheck,
  ) {}

  /** Safe to run again, and beside another process that starts. @throws SealBroken, DemoLeftovers */
  async onModuleInit(): Promise<void> {
    const { clients, requests, codes, grants, consents } = this;
    for (const collection of [clients, requests, codes, grants, consents]) await collection.prepare();
    await this.keys.start();
    for (const client of this.settings.clients) await clients.ensure(client);
    await this.leftovers.run();
  }
}
