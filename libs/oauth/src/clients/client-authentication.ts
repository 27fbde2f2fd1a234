import { Injectable } from '@nestjs/common';
import { type BaseUrls, RateLimiter } from '#http';
import type { Cause } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { hashOf, newSecret, type Parameters, parametersOf, sameSecret } from '#identity';
import { type Client, Clients } from './clients.js';

/** The hash that an unknown client's secret is compared with, so that it takes as long as for a known client. */
const DUMMY_HASH = hashOf(newSecret());

/** A request that a client sent directly, not through a browser. */
export interface ClientRequest {
  readonly client: Client;
  readonly parameters: Parameters;
  readonly urls: BaseUrls;
  readonly cause: Cause;
}

/** A request of a client, and the thumbprint of the key whose proof it carries; null: it carries none. */
export interface ProvenRequest extends ClientRequest {
  readonly jkt: string | null;
}

/**
 * Authenticates the client of a token request, a revocation or an introspection. A verifier never replaces a secret: a
 * confidential client always has to send it.
 */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly clients: Clients,
    private readonly rates: RateLimiter,
  ) {}

  /**
   * A request with well-formed parameters from an authenticated client.
   *
   * @throws OAuthError `parameter_flawed`, `several_client_authentications`, and `client_unauthenticated`, the same for an
   * unknown client, a wrong secret and a wrong method.
   */
  async requestOf({ body, headers, urls, address, cause }: FastifyRequest): Promise<ClientRequest> {
    const parameters = parametersOf(body);
    parameters.requireWellFormed();
    const client = await this.clientOf(credentialsOf(headers.authorization, parameters), address);
    return { client, parameters, urls, cause };
  }

  /** `address`: null where wrong credentials are not counted. */
  private async clientOf(readings: readonly Credentials[], address: string | null): Promise<Client> {
    const counted = address && hashOf(`${address} ${readings[0]?.clientId ?? ''}`);
    this.rates.check('clientFailures', counted);
    for (const { clientId, secret } of readings) {
      const client = await this.clients.find(clientId);
      if (isAuthenticated(client, secret) && client) return client;
    }
    this.rates.count('clientFailures', counted);
    throw new OAuthError('client_unauthenticated');
  }
}

const isAuthenticated = (client: Client | null, secret: string | null): boolean => {
  const isPublic = client?.secretHash === null;
  const isSame = sameSecret(hashOf(secret ?? ''), client?.secretHash ?? DUMMY_HASH);
  return isPublic ? secret === null : secret !== null && isSame;
};

/** A client id, and the secret that was sent with it, if any. */
interface Credentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/**
 * The credentials of a request in every possible reading: `client_secret_basic`, `client_secret_post`, or the id alone
 * (`none`). Only one method is allowed at a time (RFC 6749 §2.3).
 *
 * @throws OAuthError `client_unauthenticated` where there are none, `several_client_authentications`, `parameter_flawed`.
 */
const credentialsOf = (authorization: string | undefined, parameters: Parameters): readonly Credentials[] => {
  const clientId = parameters.optional('client_id');
  const secret = parameters.optional('client_secret') ?? null;
  if (authorization === undefined) {
    if (clientId === undefined) throw new OAuthError('client_unauthenticated');
    return [{ clientId, secret }];
  }
  const readings = basicCredentials(authorization);
  const isOneWay = secret === null && (clientId === undefined || readings.some((one) => one.clientId === clientId));
  if (!isOneWay) throw new OAuthError('several_client_authentications');
  return readings;
};

/** HTTP Basic, form-decoded as RFC 6749 §2.3.1 requires, and also undecoded, as many clients send it. */
const basicCredentials = (authorization: string): readonly Credentials[] => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, name, secret] = /^([^:]+):(.*)$/su.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (name === undefined || secret === undefined) throw new OAuthError('client_unauthenticated');
  const raw = { clientId: name, secret };
  try {
    return [{ clientId: formDecoded(name), secret: formDecoded(secret) }, raw];
  } catch {
    return [raw];
  }
};

/** @throws URIError */
const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
