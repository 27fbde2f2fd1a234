import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import type { ClientRegistration } from '../oauth-settings.js';
import { OAuthError } from '../oauth-error.js';
import { hashOf } from '#identity';
import type { BaseUrls } from '#http';
import { z } from 'zod';
import { type ClientKeys, clientKeys } from './client-keys.js';

/** An agent that may ask travellers for access. The document's id is the client id. */
export const storedClient = z.object({
  name: z.string(),
  /** SHA-256 of the secret; null: it has none (`methodOf`). */
  secretHash: z.string().nullable(),
  /** The keys one of which signs its assertions (RFC 7523); absent: it sends none. */
  jwks: clientKeys.optional(),
  /** Where such keys are, at an https address of the client's; absent: they are in `jwks`, or there are none. */
  jwksUri: z.string().optional(),
  /** Compared exactly; a leading `{auth_url}` or `{site_url}` stands for that address. */
  redirectUris: z.array(z.string()).readonly(),
  /** Its secret is published, so it counts as public in every decision and says so on the consent page. */
  pilot: z.boolean(),
  /** false: the client gets no refresh token, and its access ends with its access token. */
  refresh: z.literal(false).optional(),
  /** true: its authorization requests are pushed (RFC 9126 §6), and any other is refused. */
  requirePar: z.literal(true).optional(),
  /** true: its tokens are bound to a key, and a token request without a proof is refused (RFC 9449 §5.2). */
  requireDpop: z.literal(true).optional(),
});
export type StoredClient = z.infer<typeof storedClient>;

/** How a client authenticates. Each has one method, so that the weakest never decides. */
export const methodOf = ({ secretHash, jwks, jwksUri }: StoredClient): 'secret' | 'private_key_jwt' | 'none' => {
  if (jwks !== undefined || jwksUri !== undefined) return 'private_key_jwt';
  return secretHash === null ? 'none' : 'secret';
};

export interface Client extends StoredClient {
  readonly clientId: string;
}

/** Whether a client's refresh tokens are bound to the key of its proof: nothing of its own protects them (RFC 9449 §5). */
export const bindsRefreshTokens = (client: StoredClient): boolean => methodOf(client) === 'none' || client.pilot;

/** Whether `uri` is, character for character, a redirect URI of the client (RFC 9700 §2.1). */
export const isRedirectUriOf = (client: Client, uri: string, { auth, site }: BaseUrls): boolean =>
  client.redirectUris.some(
    (registered) => registered.replace(/^\{auth_url\}/, auth).replace(/^\{site_url\}/, site) === uri,
  );

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
  add({ clientId, ...client }: Client): Promise<boolean> {
    return this.stored.insertIfAbsent(clientId, client);
  }

  /** Gives a client another secret. The previous one is invalid from now on. */
  async replaceSecret(clientId: string, secret: string): Promise<void> {
    await this.stored.update(clientId, (known) => known && { ...known, secretHash: hashOf(secret) });
  }

  /** Gives a client other keys. What the previous ones sign is invalid from now on. */
  async replaceKeys(clientId: string, jwks: ClientKeys): Promise<void> {
    await this.stored.update(clientId, (known) => known && { ...known, jwks });
  }

  /** Answers whether there was one. */
  remove(clientId: string): Promise<boolean> {
    return this.stored.delete(clientId);
  }

  /** Registers a client of the configuration, or updates it. */
  async ensure({ clientId, secret, ...rest }: ClientRegistration): Promise<void> {
    const client: StoredClient = { ...rest, secretHash: secret === null ? null : hashOf(secret) };
    await this.stored.update(clientId, () => client);
  }
}
