import type { Documents } from '#documents';
import type { Clock, Ids } from '#kernel';
import { Accounts, Passwords, Sessions } from '#identity';
import { Consents } from '../authorize/consents.js';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { ClientRegistry } from './client-registry.js';
import { TravellerRegistry } from './traveller-registry.js';

/** What the registry stands on. */
interface RegistryPorts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Who may use the service, for an operator's program: clients and travellers. */
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
  const sessions = new Sessions(documents, clock);
  const grants = new Grants(documents, clock);
  const consents = new Consents(documents, clock);
  for (const collection of [clients, accounts, sessions, grants, consents]) await collection.prepare();
  return {
    clients: new ClientRegistry(clients, { grants, consents }, settings),
    travellers: new TravellerRegistry(accounts, sessions, { grants, consents }, settings),
  };
};
