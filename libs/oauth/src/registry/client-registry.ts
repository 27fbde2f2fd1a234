import type { Consents } from '../authorize/remembered-consents.js';
import type { ClientKeys } from '../clients/client-keys.js';
import { isStrangerId, type Party } from '#kernel';
import { DROPPED_KEYS } from '#http';
import { type Client, type Clients, methodOf, type NewClient } from '../clients/clients.js';
import { flawOfRedirectUri } from '../clients/redirect-uris.js';
import type { Grants } from '../grants/grants.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { hashOf, newSecret } from '#identity';

/** An operator's command is refused. The message, in English, says why. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

export interface ListedClient extends NewClient, Pick<Client, 'registration' | 'metadataUrl' | 'keptUntil'> {
  /** It is or was the pilot, whose secret is published. */
  readonly isPilot: boolean;
}

/** Revokes all agents of a client or a traveller; returns how many were let in. */
export type RevokeAgents = (whose: Partial<Party>) => Promise<number>;

/** How many grants ended with a client, and how many travellers had let it in. */
export interface EndedClient {
  readonly endedGrants: number;
  readonly endedAgents: number;
}

/** The registered agents, for an operator. Every method throws RegistrationRefused. */
export class ClientRegistry {
  constructor(
    private readonly clients: Clients,
    private readonly granted: { readonly grants: Grants; readonly consents: Consents },
    private readonly settings: OAuthSettings,
  ) {}

  async list(): Promise<readonly ListedClient[]> {
    const listed: ListedClient[] = [];
    for await (const client of this.clients.all()) {
      const { clientId, name, redirectUris, pilot: isPilot } = client;
      listed.push({
        clientId,
        name,
        redirectUris,
        isPublic: methodOf(client) === 'none',
        isPilot,
        ...optionsOf(client),
        ...strangerIn(client),
      });
    }
    return listed;
  }

  /** Returns the secret, which is never shown again; null for a public client, and one that signs assertions. */
  async add({ clientId, name, redirectUris, isPublic, ...options }: NewClient): Promise<string | null> {
    if (!/^[\w.-]{1,64}$/.test(clientId) || DROPPED_KEYS.has(clientId)) {
      throw new RegistrationRefused('the client id must be 1 to 64 letters, digits, dots, hyphens or underscores');
    }
    if (isStrangerId(clientId)) {
      throw new RegistrationRefused('client ids with cimd- and dcr- are those of clients that nobody registers');
    }
    if (!/^\P{C}{1,80}$/u.test(name.trim())) throw new RegistrationRefused('the name must be 1 to 80 characters');
    if (redirectUris.length === 0) throw new RegistrationRefused('a client needs a redirect URI');
    for (const uri of redirectUris) {
      const flaw = flawOfRedirectUri(uri);
      if (flaw !== null) throw new RegistrationRefused(`the redirect URI ${uri} ${flaw}`);
    }
    const { jwks, jwksUri } = options;
    const isOneWay = [isPublic, jwks !== undefined, jwksUri !== undefined].filter(Boolean).length <= 1;
    if (!isOneWay) throw new RegistrationRefused('a client is public, or has keys, or has the address of its keys');
    const flaw = jwksUri === undefined ? null : flawOfKeyAddress(jwksUri);
    if (flaw !== null) throw new RegistrationRefused(`the address of the keys ${flaw}`);
    const secret = isPublic || (jwks ?? jwksUri) !== undefined ? null : newSecret();
    const secretHash = secret && hashOf(secret);
    const uris = [...new Set(redirectUris)];
    const isNew = await this.clients.add({
      clientId,
      name: name.trim(),
      secretHash,
      redirectUris: uris,
      pilot: false,
      ...optionsOf(options),
    });
    if (!isNew) throw new RegistrationRefused(`there is a client ${clientId} already`);
    return secret;
  }

  /** Returns the new secret. All grants stay, since a rotation is routine. */
  async rotateSecret(clientId: string): Promise<string> {
    const client = await this.changeable(clientId);
    const method = methodOf(client);
    if (method !== 'secret') {
      const why = method === 'none' ? 'is a public client' : 'signs with keys';
      throw new RegistrationRefused(`${clientId} ${why}: it has no secret`);
    }
    const secret = newSecret();
    await this.clients.replaceSecret(clientId, secret);
    return secret;
  }

  /** Replaces the keys of a client that signs assertions. All grants stay, since a rotation is routine. */
  async replaceKeys(clientId: string, jwks: ClientKeys): Promise<void> {
    const client = await this.changeable(clientId);
    if (!client.jwks) throw new RegistrationRefused(`${clientId} has no keys here`);
    await this.clients.replaceKeys(clientId, jwks);
  }

  /** Removes all grants of the client too, and revokes it for every traveller. Interrupted, it goes on where it is run again. */
  async remove(clientId: string, revoke: RevokeAgents): Promise<EndedClient> {
    this.refuseConfigured(clientId);
    const client = await this.clients.find(clientId);
    // First, so that nobody lets it in meanwhile: without a client no code becomes a token.
    await this.clients.remove(clientId);
    await this.granted.consents.forgetAll('clientId', clientId);
    const endedGrants = await this.granted.grants.forgetAll('clientId', clientId);
    const endedAgents = await revoke({ clientId });
    if (!client && endedGrants + endedAgents === 0) throw unknown(clientId);
    return { endedGrants, endedAgents };
  }

  private async changeable(clientId: string): Promise<Client> {
    this.refuseConfigured(clientId);
    const client = await this.clients.find(clientId);
    if (!client) throw unknown(clientId);
    return client;
  }

  private refuseConfigured(clientId: string): void {
    if (!this.settings.clients.some((configured) => configured.clientId === clientId)) return;
    throw new RegistrationRefused(`${clientId} comes from the configuration, which every start restores`);
  }
}

const unknown = (clientId: string): RegistrationRefused => new RegistrationRefused(`there is no client ${clientId}`);

/** The members that a client has only where they say something. */
const optionsOf = ({ jwks, jwksUri, requirePar, requireDpop }: Partial<NewClient>) => ({
  ...(jwks && { jwks }),
  ...(jwksUri !== undefined && { jwksUri }),
  ...(requirePar && { requirePar }),
  ...(requireDpop && { requireDpop }),
});

const strangerIn = ({ registration, metadataUrl, keptUntil }: Client) => ({
  ...(registration && { registration }),
  ...(metadataUrl !== undefined && { metadataUrl }),
  ...(keptUntil !== undefined && { keptUntil }),
});

const flawOfKeyAddress = (url: string): string | null =>
  url.startsWith('https:') ? flawOfRedirectUri(url) : 'must be https';
