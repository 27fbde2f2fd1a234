import type { BaseUrls } from '#http';
import { type Client, isRedirectUriOf } from '../clients/client.js';
import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/** `redirect_uri` is there and registered, character for character (RFC 9700 §2.1). @throws OAuthError `redirect_uri_unknown`, `parameter_flawed` */
export const checkRedirectUri = (parameters: Parameters, client: Client, urls: BaseUrls): string => {
  const redirectUri = parameters.optional('redirect_uri');
  if (redirectUri === undefined || !isRedirectUriOf(client, redirectUri, urls)) {
    throw new OAuthError('redirect_uri_unknown');
  }
  return redirectUri;
};
