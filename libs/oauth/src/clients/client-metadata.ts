import { visibleLine } from '#kernel';
import { OAuthError } from '../oauth-error.js';
import { z } from 'zod';
import { clientKeysIn, ClientKeysRefused } from './client-keys.js';
import type { StoredClient } from './clients.js';
import { flawOfRedirectUri } from './redirect-uris.js';

/** What a client may say of itself (RFC 7591 §2), of that what counts here. Every other member is ignored. */
const clientMetadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(10),
  token_endpoint_auth_method: z.string().optional(),
  jwks: z.unknown().optional(),
  jwks_uri: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
});

/** The longest redirect URI of a client that nobody registered: they are stored for whoever asks. */
const LONGEST_URI = 500;

const METHODS = ['none', 'private_key_jwt', 'client_secret_basic', 'client_secret_post'] as const;
type Method = (typeof METHODS)[number];

interface DescribedClient {
  /** null: it gives none. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  /** How it wants to authenticate; `none` where it does not say. */
  readonly method: Method;
  /** The keys that it signs with, where that is how. */
  readonly keys: Pick<StoredClient, 'jwks' | 'jwksUri'>;
  /** What it demands of itself: no refresh tokens, pushed requests (RFC 9126 §6), bound tokens (RFC 9449 §5.2). */
  readonly demands: Pick<StoredClient, 'refresh' | 'requirePar' | 'requireDpop'>;
}

/** The client that metadata describe. @throws OAuthError `client_metadata_flawed`, `redirect_uris_flawed` */
export const describedIn = (metadata: unknown): DescribedClient => {
  const { success, data } = clientMetadata.safeParse(metadata);
  if (!success) throw new OAuthError('client_metadata_flawed');
  const { client_name, redirect_uris, token_endpoint_auth_method = 'none', grant_types, response_types } = data;
  if (redirect_uris.some(isFlawed)) throw new OAuthError('redirect_uris_flawed');
  const usesCodes = grant_types?.includes('authorization_code') !== false && response_types?.includes('code') !== false;
  const method = METHODS.find((one) => one === token_endpoint_auth_method);
  if (!usesCodes || method === undefined) throw new OAuthError('client_metadata_flawed');
  return {
    name: nameIn(client_name),
    redirectUris: [...new Set(redirect_uris)],
    method,
    keys: method === 'private_key_jwt' ? keysIn(data) : {},
    demands: {
      ...(grant_types?.includes('refresh_token') === false && { refresh: false }),
      ...(data.require_pushed_authorization_requests && { requirePar: true }),
      ...(data.dpop_bound_access_tokens && { requireDpop: true }),
    },
  };
};

/** The keys, or where they are; never both (RFC 7591 §2). @throws OAuthError `client_metadata_flawed` */
const keysIn = ({ jwks, jwks_uri: jwksUri }: z.infer<typeof clientMetadata>): DescribedClient['keys'] => {
  if (jwksUri !== undefined) {
    const isAddress = jwksUri.startsWith('https:') && jwksUri.length <= LONGEST_URI && !flawOfRedirectUri(jwksUri);
    if (jwks === undefined && isAddress) return { jwksUri };
    throw new OAuthError('client_metadata_flawed');
  }
  try {
    return { jwks: clientKeysIn(jwks) };
  } catch (cause) {
    if (cause instanceof ClientKeysRefused) throw new OAuthError('client_metadata_flawed', { cause });
    throw cause;
  }
};

/** The same rules as for an operator, but for the slash of an empty path, which many leave out. */
const isFlawed = (uri: string): boolean =>
  uri.length > LONGEST_URI || (flawOfRedirectUri(uri) !== null && flawOfRedirectUri(`${uri}/`) !== null);

const READABLE = visibleLine(80, 1);

/** A name as travellers may read it: 1 to 80 characters, a letter or digit, nothing invisible or controlling. null: none. */
const nameIn = (name: string | undefined): string | null => {
  const trimmed = name?.normalize('NFC').trim() ?? '';
  if (trimmed === '') return null;
  const isReadable = READABLE.test(trimmed) && /[\p{L}\p{N}]/u.test(trimmed);
  if (!isReadable) throw new OAuthError('client_metadata_flawed');
  return trimmed;
};
