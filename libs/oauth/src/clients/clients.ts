import { Injectable } from '@nestjs/common';
import { Collection, Documents, DuplicateDocument } from '#documents';
import type { ClientRegistration } from '../oauth-settings.js';
import { OAuthError } from '../oauth-error.js';
import { hashOf } from '#identity';
import { type Client, storedClient, type StoredClient } from './client.js';

/** The registered clients. */
@Injectable()
export class Clients {
  private readonly stored: Collection<StoredClient>;

  constructor(documents: Documents) {
    this.stored = new Collection(documents, { name: 'clients', indexes: [{ fields: ['name'] }] }, storedClient);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** The client, or null. */
  async find(clientId: string): Promise<Client | null> {
    const document = await this.stored.get(clientId);
    return document && { clientId, ...document.body };
  }

  /** @throws OAuthError `client_unknown` */
  async get(clientId: string): Promise<Client> {
    const client = await this.find(clientId);
    if (!client) throw new OAuthError('client_unknown');
    return client;
  }

  /** All clients, by name. */
  async *all(): AsyncIterable<Client> {
    for await (const { id: clientId, body } of this.stored.all('name')) yield { clientId, ...body };
  }

  /** Registers a new client; answers whether its id was free. */
  async add({ clientId, ...client }: Client): Promise<boolean> {
    try {
      await this.stored.insert(clientId, client);
      return true;
    } catch (error) {
      if (error instanceof DuplicateDocument) return false;
      throw error;
    }
  }

  /** Gives a client another secret: the one before it is worth nothing from now on. */
  async replaceSecret(clientId: string, secret: string): Promise<void> {
    for (;;) {
      const known = await this.stored.get(clientId);
      if (!known || (await this.stored.replace(known, { ...known.body, secretHash: hashOf(secret) }))) return;
    }
  }

  /** Answers whether there was one. */
  remove(clientId: string): Promise<boolean> {
    return this.stored.delete(clientId);
  }

  /** Registers a client of the configuration, or brings it up to date with that. */
  async ensure({ clientId, secret, ...rest }: ClientRegistration): Promise<void> {
    const client: StoredClient = { ...rest, secretHash: secret === null ? null : hashOf(secret) };
    const known = await this.stored.get(clientId);
    // Where there is none, another process starting at the same moment may register it first.
    if (known) await this.stored.replace(known, client);
    else await this.add({ clientId, ...client });
  }
}
