import { type Documents, SECRETS } from '#documents';
import { Aggregates, type EventStore } from '#event-store';
import { Accounts, AUDITORS, Passwords, SecurityLog, Sessions } from '#identity';
import type { Clock, Ids } from '#kernel';
import { Consents } from '../authorize/remembered-consents.js';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import { MessageKeys, SigningKeys } from '../keys/signing-keys.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { AccountRegistry } from './account-registry.js';
import { ClientRegistry } from './client-registry.js';
import { KeyRegistry } from './key-registry.js';

interface RegistryPorts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The clients and travellers who may use the service, for an operator's program. */
export interface Registry {
  readonly clients: ClientRegistry;
  readonly travellers: AccountRegistry;
}

export const openRegistry = async (
  { documents, clock, ids }: RegistryPorts,
  settings: OAuthSettings,
): Promise<Registry> => {
  const clients = new Clients(documents);
  const accounts = new Accounts(documents, ids, new Passwords(settings));
  const sessions = new Sessions(documents, clock, accounts);
  const grants = new Grants(documents, clock);
  const consents = new Consents(documents, clock);
  for (const collection of [clients, accounts, sessions, grants, consents]) await collection.prepare();
  const forget = async (holder: string): Promise<number> => {
    await consents.forgetAll('holder', holder);
    return grants.forgetAll('holder', holder);
  };
  return {
    clients: new ClientRegistry(clients, { grants, consents }, settings),
    travellers: new AccountRegistry('traveller', accounts, sessions, settings.accounts, forget),
  };
};

/** The auditors who can log in, for an operator's program. */
export const openAuditorRegistry = async (
  { documents, clock, ids }: RegistryPorts,
  settings: OAuthSettings,
): Promise<AccountRegistry> => {
  const accounts = new Accounts(documents, ids, new Passwords(settings), AUDITORS);
  const sessions = new Sessions(documents, clock, accounts, AUDITORS);
  for (const collection of [accounts, sessions]) await collection.prepare();
  return new AccountRegistry('auditor', accounts, sessions);
};

/** @throws SealBroken where the stored keys cannot be opened */
export const openKeyRegistry = async (
  { documents, events, clock, ids }: RegistryPorts & { readonly events: EventStore },
  settings: OAuthSettings,
): Promise<KeyRegistry> => {
  await documents.prepare(SECRETS);
  const tokens = new SigningKeys(documents, clock, settings);
  const messages = new MessageKeys(documents, clock, settings);
  for (const ring of [tokens, messages]) await ring.open();
  const log = new SecurityLog(new Aggregates(events, clock, ids), clock);
  return new KeyRegistry({ tokens, messages }, { documents, sealing: settings.keyEncryptionKeys, log, clock });
};
