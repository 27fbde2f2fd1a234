import { Injectable } from '@nestjs/common';
import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '../parameters.js';
import { hashOf, newSecret, sameSecret } from '../secrets.js';
import type { Client } from './client.js';
import { credentialsOf } from './client-credentials.js';
import { Clients } from './clients.js';

/** What an unknown client's secret is compared with, so that it takes as long as a known one's. */
const NOBODYS_HASH = hashOf(newSecret());

/** Who sends a token request. A verifier never stands in for a secret: a confidential client always shows it. */
@Injectable()
export class ClientAuthentication {
  constructor(private readonly clients: Clients) {}

  /** @throws OAuthError `client_unauthenticated`, the same for an unknown client, a wrong secret and a wrong method. */
  async clientOf(authorization: string | undefined, parameters: Parameters): Promise<Client> {
    for (const { clientId, secret } of credentialsOf(authorization, parameters)) {
      const client = await this.clients.find(clientId);
      if (showsItself(client, secret) && client) return client;
    }
    throw new OAuthError('client_unauthenticated');
  }
}

const showsItself = (client: Client | null, secret: string | null): boolean => {
  const isPublic = client?.secretHash === null;
  const isRight = sameSecret(hashOf(secret ?? ''), client?.secretHash ?? NOBODYS_HASH);
  return isPublic ? secret === null : secret !== null && isRight;
};
