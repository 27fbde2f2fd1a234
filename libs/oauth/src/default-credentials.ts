import { Injectable } from '@nestjs/common';
import { Accounts, hashOf } from '#identity';
import { Clients } from './clients/clients.js';
import { OAuthSettings } from './oauth-settings.js';

/** The documents still contain a client or an account with published credentials. */
export class DefaultCredentialsRefused extends Error {
  override readonly name = 'DefaultCredentialsRefused';
}

/** Refuses production over data of a demo, whose known clients and accounts are still stored (docs/decisions.md, Fixed names). */
@Injectable()
export class DefaultCredentialsCheck {
  constructor(
    private readonly settings: OAuthSettings,
    private readonly clients: Clients,
    private readonly accounts: Accounts,
  ) {}

  /** @throws DefaultCredentialsRefused naming each, with the command that removes it */
  async run(): Promise<void> {
    const { publicDefaults } = this.settings;
    if (!publicDefaults) return;
    const { secret, password, emails } = publicDefaults;
    const found: string[] = [];
    for await (const { clientId, secretHash } of this.clients.all()) {
      if (secretHash === hashOf(secret))
        found.push(`client ${clientId} has the public secret: alcada client remove ${clientId}`);
    }
    for (const email of emails) {
      const isOpen =
        (await this.accounts.isUnused(email)) || (await this.accounts.authenticate({ email, password }, null)) !== null;
      if (isOpen) found.push(`traveller ${email} has the public password: alcada traveller set-password ${email}`);
    }
    if (found.length > 0)
      throw new DefaultCredentialsRefused(`refused in production, left by a demo start:\n${found.join('\n')}`);
  }
}
