import type { Documents } from '#documents';
import type { Clock, Ids, Instant } from '#kernel';
import { Accounts, Passwords, Sessions } from '#identity';
import { Consents } from '../authorize/consents.js';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { ClientRegistry } from './client-registry.js';
import { TravellerRegistry } from './traveller-registry.js';
import { verifiesUntil } from '../keys/signing-key.js';
import { SigningKeys } from '../keys/signing-keys.js';

/** The ports that the registry uses. */
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

/** A signing key as an operator sees it, without its private part. */
export interface ListedKey {
  readonly kid: string;
  readonly createdAt: Instant;
  /** Until when its tokens are valid, where the key has a successor; null: it signs. */
  readonly verifiesUntil: Instant | null;
}

/** The keys that sign access tokens, for an operator. */
export class KeyRegistry {
  constructor(private readonly keys: SigningKeys) {}

  /** The keys in force, newest first. */
  async list(): Promise<readonly ListedKey[]> {
    const keys = await this.keys.all();
    return keys.map(({ kid, createdAt }, index) => {
      const successor = keys[index - 1];
      return { kid, createdAt, verifiesUntil: successor ? verifiesUntil(successor) : null };
    });
  }

  /** Creates a new key, which signs from now on; answers the keys in force. */
  async rotate(): Promise<readonly ListedKey[]> {
    await this.keys.rotate();
    return this.list();
  }
}

/** @throws SealBroken where the stored keys cannot be opened */
export const openKeyRegistry = async (
  { documents, clock }: { readonly documents: Documents; readonly clock: Clock },
  settings: OAuthSettings,
): Promise<KeyRegistry> => {
  const keys = new SigningKeys(documents, clock, settings);
  await keys.open();
  return new KeyRegistry(keys);
};
