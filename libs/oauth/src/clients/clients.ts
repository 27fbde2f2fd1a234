import { Injectable } from '@nestjs/common';
import { Documents, DuplicateDocument } from '#documents';
import { Collection } from '../collection.js';
import type { ClientRegistration } from '../oauth-settings.js';
import { hashOf } from '../secrets.js';
import { type Client, storedClient, type StoredClient } from './client.js';

/** The registered clients. */
@Injectable()
export class Clients {
  private readonly stored: Collection<StoredClient>;

  constructor(documents: Documents) {
    this.stored = new Collection(documents, { name: 'clients', indexes: [] }, storedClient);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** The client, or null. */
  async find(clientId: string): Promise<Client | null> {
    const document = await this.stored.get(clientId);
    return document && { clientId, ...document.body };
  }

  /** Registers a client of the configuration, or brings it up to date with that. */
  async ensure({ clientId, secret, ...rest }: ClientRegistration): Promise<void> {
    const client: StoredClient = { ...rest, secretHash: secret === null ? null : hashOf(secret) };
    const known = await this.stored.get(clientId);
    if (known) {
      await this.stored.replace(known, client);
      return;
    }
    try {
      await this.stored.insert(clientId, client);
    } catch (error) {
      // Another process starting at the same moment registered it.
      if (!(error instanceof DuplicateDocument)) throw error;
    }
  }
}
