import { Injectable } from '@nestjs/common';
import { type BaseUrls, RateLimiter } from '#http';
import type { Cause } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { hashOf, newSecret, type Parameters, parametersOf, sameSecret } from '#identity';
import { ASSERTION_TYPE, type Between, ClientAssertions, claimedClient } from './client-assertions.js';
import { ClientLookup } from './client-lookup.js';
import { type Client, methodOf } from './clients.js';

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

/** Authenticates the client of a request. A verifier never replaces a secret: a confidential client always sends it. */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly clients: ClientLookup,
    private readonly assertions: ClientAssertions,
    private readonly rates: RateLimiter,
  ) {}

  /** A well-formed request of an authenticated client. @throws OAuthError: flawed, several or failed authentications */
  async requestOf({ body, headers, urls, address, cause }: FastifyRequest): Promise<ClientRequest> {
    const parameters = parametersOf(body);
    parameters.requireWellFormed();
    const readings = credentialsOf(headers.authorization, parameters);
    const client = await this.clientOf(readings, urls.auth, address);
    return { client, parameters, urls, cause };
  }

  /** `address`: null where wrong credentials are not counted. */
  private async clientOf(readings: readonly Credentials[], issuer: string, address: string | null): Promise<Client> {
    const counted = address && hashOf(`${address} ${readings[0]?.clientId ?? ''}`);
    this.rates.check('clientFailures', counted);
    for (const { clientId, proof } of readings) {
      const client = await this.found(clientId);
      if ((await this.isProven(client, proof, { clientId, issuer })) && client) return client;
    }
    this.rates.count('clientFailures', counted);
    throw new OAuthError('client_unauthenticated');
  }

  private async isProven(client: Client | null, proof: Proof, between: Between): Promise<boolean> {
    const isSame = proof.method !== 'secret' || sameSecret(hashOf(proof.secret), client?.secretHash ?? DUMMY_HASH);
    if (!client || methodOf(client) !== proof.method) return false;
    return proof.method === 'private_key_jwt' ? this.assertions.accept(proof.assertion, client, between) : isSame;
  }

  private async found(clientId: string): Promise<Client | null> {
    try {
      return await this.clients.find(clientId);
    } catch (cause) {
      if (cause instanceof OAuthError) throw new OAuthError('client_unauthenticated', { cause });
      throw cause;
    }
  }
}

/** What a client sent to prove that it is that client: nothing, where it is public. */
type Proof =
  | { readonly method: 'none' }
  | { readonly method: 'secret'; readonly secret: string }
  | { readonly method: 'private_key_jwt'; readonly assertion: string };

interface Credentials {
  readonly clientId: string;
  readonly proof: Proof;
}

/** A request's credentials in every reading, of one method alone (RFC 6749 §2.3). @throws OAuthError as `requestOf` */
const credentialsOf = (authorization: string | undefined, parameters: Parameters): readonly Credentials[] => {
  const secret = parameters.optional('client_secret');
  const assertion = parameters.optional('client_assertion');
  const clientId = parameters.optional('client_id') ?? (assertion && claimedClient(assertion));
  if (authorization !== undefined) {
    const readings = basicCredentials(authorization);
    const isThisClient = clientId === undefined || readings.some((one) => one.clientId === clientId);
    if (!isThisClient || (secret ?? assertion) !== undefined) throw new OAuthError('several_client_authentications');
    return readings;
  }
  if (secret !== undefined && assertion !== undefined) throw new OAuthError('several_client_authentications');
  if (clientId === undefined) throw new OAuthError('client_unauthenticated');
  if (assertion === undefined) return [{ clientId, proof: secret === undefined ? NONE : { method: 'secret', secret } }];
  if (parameters.optional('client_assertion_type') !== ASSERTION_TYPE) throw new OAuthError('client_unauthenticated');
  return [{ clientId, proof: { method: 'private_key_jwt', assertion } }];
};

const NONE: Proof = { method: 'none' };

/** HTTP Basic, form-decoded as RFC 6749 §2.3.1 requires, and also undecoded, as many clients send it. */
const basicCredentials = (authorization: string): readonly Credentials[] => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, name, secret] = /^([^:]+):(.*)$/su.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (name === undefined || secret === undefined) throw new OAuthError('client_unauthenticated');
  const sent = (clientId: string, text: string): Credentials => ({
    clientId,
    proof: { method: 'secret', secret: text },
  });
  const raw = sent(name, secret);
  try {
    return [sent(formDecoded(name), formDecoded(secret)), raw];
  } catch {
    return [raw];
  }
};

/** @throws URIError */
const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
