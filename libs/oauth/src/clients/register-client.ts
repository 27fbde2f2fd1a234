import { Injectable } from '@nestjs/common';
import { hashOf, newSecret } from '#identity';
import { Clock, Ids, millisecondsOf, strangerId } from '#kernel';
import { OAuthError } from '../oauth-error.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { ClientKeys } from './client-keys.js';
import { describedIn } from './client-metadata.js';
import { Clients } from './clients.js';

/** The answer to a registration (RFC 7591 §3.2.1): what the client is here. `client_id_issued_at` in seconds. */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  /** Shown only now. It does not expire before the client does. */
  readonly client_secret?: string;
  readonly client_secret_expires_at?: 0;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly jwks?: ClientKeys;
  readonly jwks_uri?: string;
  readonly grant_types: readonly string[];
  readonly response_types: readonly ['code'];
  readonly require_pushed_authorization_requests?: true;
  readonly dpop_bound_access_tokens?: true;
}

/** `POST /oauth/register` (RFC 7591). The name is a claim; the client is forgotten where no traveller lets it in. */
@Injectable()
export class RegisterClient {
  constructor(
    private readonly clients: Clients,
    private readonly settings: OAuthSettings,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** `address`: what it counts under, or null. @throws OAuthError: closed, or flawed metadata or redirect URIs */
  async register(metadata: unknown, address: string | null): Promise<RegisteredClient> {
    if (!this.settings.dynamicRegistration) throw new OAuthError('registration_closed');
    const { name, redirectUris, method, keys, demands } = describedIn(metadata);
    const secret = method === 'none' || method === 'private_key_jwt' ? null : newSecret();
    const now = this.clock.now();
    const client = {
      clientId: strangerId('dynamic', this.ids.next()),
      name: name ?? 'Aplicativo sem nome',
      secretHash: secret && hashOf(secret),
      redirectUris,
      pilot: false,
      ...keys,
      ...demands,
      registration: 'dynamic',
    } as const;
    await this.clients.admit(client, now, address);
    return {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(millisecondsOf(now) / 1_000),
      ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
      client_name: client.name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: method,
      ...(keys.jwks && { jwks: keys.jwks }),
      ...(keys.jwksUri !== undefined && { jwks_uri: keys.jwksUri }),
      grant_types: ['authorization_code', ...(demands.refresh === false ? [] : ['refresh_token'])],
      response_types: ['code'],
      ...(demands.requirePar && { require_pushed_authorization_requests: true }),
      ...(demands.requireDpop && { dpop_bound_access_tokens: true }),
    };
  }
}
