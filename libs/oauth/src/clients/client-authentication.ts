import { Injectable } from '@nestjs/common';
import { type BaseUrls, RateLimiter } from '#http';
import { type Cause, DomainError } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { hashOf, newSecret, type Parameters, parametersOf, sameSecret } from '#identity';
import type { Client } from './client.js';
import { type Credentials, credentialsOf } from './client-credentials.js';
import { Clients } from './clients.js';

/** What an unknown client's secret is compared with, so that it takes as long as a known one's. */
const NOBODYS_HASH = hashOf(newSecret());

/** A request that a client sent by itself, not through a browser: who, and what. */
export interface ClientRequest {
  readonly client: Client;
  readonly parameters: Parameters;
  readonly urls: BaseUrls;
  readonly cause: Cause;
}

/**
 * Who sends a token request, a revocation or an introspection. A verifier never stands in for a secret: a confidential
 * client always shows it.
 */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly clients: Clients,
    private readonly rates: RateLimiter,
  ) {}

  /**
   * A request with sound parameters, of a client that has shown itself.
   *
   * @throws OAuthError `parameter_flawed`, `several_client_authentications`, and `client_unauthenticated`, the same for an
   * unknown client, a wrong secret and a wrong method.
   */
  async requestOf({ body, headers, urls, address, cause }: FastifyRequest): Promise<ClientRequest> {
    const parameters = parametersOf(body);
    parameters.requireSound();
    const client = await this.clientOf(credentialsOf(headers.authorization, parameters), address);
    return { client, parameters, urls, cause };
  }

  /** `address` null: wrong credentials are not counted. */
  private async clientOf(readings: readonly Credentials[], address: string | null): Promise<Client> {
    const counted = address && hashOf(`${address} ${readings[0]?.clientId ?? ''}`);
    const retryAfter = this.rates.wait('clientFailures', counted);
    if (retryAfter > 0) throw new DomainError('rate_limited', undefined, { retryAfter });
    for (const { clientId, secret } of readings) {
      const client = await this.clients.find(clientId);
      if (showsItself(client, secret) && client) return client;
    }
    this.rates.count('clientFailures', counted);
    throw new OAuthError('client_unauthenticated');
  }
}

const showsItself = (client: Client | null, secret: string | null): boolean => {
  const isPublic = client?.secretHash === null;
  const isRight = sameSecret(hashOf(secret ?? ''), client?.secretHash ?? NOBODYS_HASH);
  return isPublic ? secret === null : secret !== null && isRight;
};
