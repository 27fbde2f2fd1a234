import { isLoopback } from '#http';
import type { Consents } from '../authorize/consents.js';
import type { Client, Clients } from '../clients/clients.js';
import type { Grants } from '../grants/grants.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { hashOf, newSecret } from '#identity';

/** An operator's command is refused. The message, in English, says why. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

/** A client as an operator registers it. */
export interface NewClient {
  readonly clientId: string;
  /** The name that travellers read on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** It cannot keep a secret, and gets none. */
  readonly isPublic: boolean;
}

/** A client as an operator sees it, without its secret. */
export interface ListedClient extends NewClient {
  /** It is or was the pilot, whose secret is published. */
  readonly isPilot: boolean;
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
    for await (const { clientId, name, redirectUris, secretHash, pilot } of this.clients.all()) {
      listed.push({ clientId, name, redirectUris, isPublic: secretHash === null, isPilot: pilot });
    }
    return listed;
  }

  /** Answers the secret, which is never shown again; null for a public client. */
  async add({ clientId, name, redirectUris, isPublic }: NewClient): Promise<string | null> {
    if (!/^[\w.-]{1,64}$/.test(clientId)) {
      throw new RegistrationRefused('the client id must be 1 to 64 letters, digits, dots, hyphens or underscores');
    }
    if (!/^\P{C}{1,80}$/u.test(name.trim())) throw new RegistrationRefused('the name must be 1 to 80 characters');
    if (redirectUris.length === 0) throw new RegistrationRefused('a client needs a redirect URI');
    for (const uri of redirectUris) {
      const flaw = flawOfRedirectUri(uri);
      if (flaw !== null) throw new RegistrationRefused(`the redirect URI ${uri} ${flaw}`);
    }
    const secret = isPublic ? null : newSecret();
    const secretHash = secret && hashOf(secret);
    const uris = [...new Set(redirectUris)];
    const isNew = await this.clients.add({
      clientId,
      name: name.trim(),
      secretHash,
      redirectUris: uris,
      pilot: false,
    });
    if (!isNew) throw new RegistrationRefused(`there is a client ${clientId} already`);
    return secret;
  }

  /** Answers the new secret. All grants stay, since a rotation is routine. */
  async rotateSecret(clientId: string): Promise<string> {
    const client = await this.changeable(clientId);
    if (client.secretHash === null) throw new RegistrationRefused(`${clientId} is a public client: it has no secret`);
    const secret = newSecret();
    await this.clients.replaceSecret(clientId, secret);
    return secret;
  }

  /** Removes all grants of the client too; answers how many there were. */
  async remove(clientId: string): Promise<number> {
    await this.changeable(clientId);
    await this.clients.remove(clientId);
    await this.granted.consents.forgetAll('clientId', clientId);
    return this.granted.grants.forgetAll('clientId', clientId);
  }

  private async changeable(clientId: string): Promise<Client> {
    if (this.settings.clients.some((configured) => configured.clientId === clientId)) {
      throw new RegistrationRefused(`${clientId} comes from the configuration, which every start restores`);
    }
    const client = await this.clients.find(clientId);
    if (!client) throw new RegistrationRefused(`there is no client ${clientId}`);
    return client;
  }
}

const LONGEST_URI = 2_000;

/**
 * What is wrong with a redirect URI that an operator registers, in English; null: nothing. It is compared character for
 * character (RFC 9700 §2.1), so only one spelling is accepted: https, or http on a loopback address (RFC 8252 §7.3).
 */
export const flawOfRedirectUri = (uri: string): string | null => {
  if (!URL.canParse(uri)) return 'is not an absolute address';
  const url = new URL(uri);
  if (uri.length > LONGEST_URI) return `is longer than ${LONGEST_URI} characters`;
  if (url.protocol === 'http:' ? !isLoopback(url.host) : url.protocol !== 'https:') {
    return 'must be https, or http on 127.0.0.1, [::1] or localhost';
  }
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.host.includes('*')) return 'must name one host';
  return url.href === uri ? null : `must be written as ${url.href}`;
};
