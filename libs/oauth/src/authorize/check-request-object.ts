import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/**
 * No request object: passing one over would judge other parameters than the client signed (OpenID Connect Core §6; RFC
 * 9101 §10.5).
 *
 * @throws OAuthError `request_object_unsupported`, `request_uri_unsupported`
 */
export const checkRequestObject = (parameters: Parameters): void => {
  if (parameters.optional('request') !== undefined) throw new OAuthError('request_object_unsupported');
  if (parameters.optional('request_uri') !== undefined) throw new OAuthError('request_uri_unsupported');
};
