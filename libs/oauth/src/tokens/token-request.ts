import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';
import { scopesIn } from '../requested-access.js';

export type TokenRequest = CodeRequest | RefreshRequest;

export interface CodeRequest {
  readonly grant_type: 'authorization_code';
  readonly code: string;
  readonly code_verifier: string;
  /** OAuth 2.1 clients leave it out. Where it is sent, it must be the one of the authorization request. */
  readonly redirect_uri: string | undefined;
}

export interface RefreshRequest {
  readonly grant_type: 'refresh_token';
  readonly refresh_token: string;
  /** The scopes of this access token alone. The grant keeps its own. */
  readonly scope: string | undefined;
}

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

const verifierIn = (parameters: Parameters): string => {
  const verifier = parameters.optional('code_verifier');
  if (verifier === undefined || !VERIFIER.test(verifier)) throw new OAuthError('pkce_verifier_flawed');
  return verifier;
};

const scopeIn = (parameters: Parameters): string | undefined => {
  const scope = parameters.optional('scope');
  return scope === undefined ? undefined : scopesIn(scope).join(' ');
};

/** @throws OAuthError `parameter_missing`, `grant_type_unsupported`, `pkce_verifier_flawed`, `scope_invalid` */
export const tokenRequestIn = (parameters: Parameters): TokenRequest => {
  const grantType = parameters.required('grant_type');
  switch (grantType) {
    case 'authorization_code':
      return {
        grant_type: grantType,
        code: parameters.required('code'),
        code_verifier: verifierIn(parameters),
        redirect_uri: parameters.optional('redirect_uri'),
      };
    case 'refresh_token':
      return {
        grant_type: grantType,
        refresh_token: parameters.required('refresh_token'),
        scope: scopeIn(parameters),
      };
    default:
      throw new OAuthError('grant_type_unsupported');
  }
};
