import { type Documents, SECRETS } from '#documents';
import { Aggregates, type EventStore } from '#event-store';
import { Accounts, Passwords, SecurityLog, Sessions } from '#identity';
import type { Clock, Ids } from '#kernel';
import { Consents } from '../authorize/remembered-consents.js';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import { SigningKeys } from '../keys/signing-keys.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { ClientRegistry } from './client-registry.js';
import { KeyRegistry } from './key-registry.js';
import { TravellerRegistry } from './traveller-registry.js';

interface RegistryPorts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The clients and travellers who may use the service, for an operator's program. */
export interface Registry {
  readonly clients: ClientRegistry;
  readonly travellers: TravellerRegistry;
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
  return {
    clients: new ClientRegistry(clients, { grants, consents }, settings),
    travellers: new TravellerRegistry(accounts, sessions, { grants, consents }, settings),
  };
};

/** @throws SealBroken where the stored keys cannot be opened */
export const openKeyRegistry = async (
  { documents, events, clock, ids }: RegistryPorts & { readonly events: EventStore },
  settings: OAuthSettings,
): Promise<KeyRegistry> => {
  await documents.prepare(SECRETS);
  const keys = new SigningKeys(documents, clock, settings);
  await keys.open();
  const log = new SecurityLog(new Aggregates(events, clock, ids), clock);
  return new KeyRegistry(keys, { documents, sealing: settings.keyEncryptionKeys, log, clock });
};
