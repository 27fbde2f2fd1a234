import OAuth2Server from '@node-oauth/oauth2-server';
import { DomainError } from '#kernel';
import { OAuthError, type OAuthReason } from './oauth-error.js';

/**
 * The edge of `@node-oauth/oauth2-server`: it does the grants, and gets only what our own pipeline has judged: requests
 * we build, single strings, a client already authenticated. Expiry is judged by our clock before, so it is shown a far
 * future.
 */
export const FAR_FUTURE = new Date(8.64e15);

/** A client as the library wants it; `redirectUri` is the one already judged. */
export const libraryClient = (clientId: string, redirectUri?: string): OAuth2Server.Client => ({
  id: clientId,
  grants: ['authorization_code', 'refresh_token'],
  ...(redirectUri !== undefined && { redirectUris: [redirectUri] }),
});

/** A request as the library wants it: a form with these fields, nothing in the query. */
export const libraryRequest = (body: Readonly<Record<string, string | undefined>>): OAuth2Server.Request =>
  new OAuth2Server.Request({
    method: 'POST',
    query: {},
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
    body,
  });

/** Members its types ask of a model and the call at hand never uses. */
export const UNUSED = {
  getAccessToken: () => Promise.resolve(null),
  getAuthorizationCode: () => Promise.resolve(null),
  revokeAuthorizationCode: () => Promise.resolve(false),
  saveAuthorizationCode: () => Promise.resolve(null),
  saveToken: () => Promise.resolve(null),
};

/**
 * What the library threw as what we answer. A refusal of ours comes back inside its `ServerError`, whose own text never
 * leaves: it copies inner messages out.
 */
export const fromLibrary = (error: unknown, reasons: Readonly<Record<string, OAuthReason>> = {}): Error => {
  if (!(error instanceof OAuth2Server.OAuthError)) return new OAuthError('server_error', { cause: error });
  const { inner } = error as { inner?: unknown };
  if (inner instanceof OAuthError || inner instanceof DomainError) return inner;
  return new OAuthError(reasons[error.name] ?? 'server_error', { cause: error });
};
