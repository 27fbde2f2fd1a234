import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/**
 * The answer travels in the query and nowhere else: a client that asked for a form or a fragment would never find it, and
 * the code would stand where it did not expect it (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
 *
 * @throws OAuthError `response_mode_unsupported`
 */
export const checkResponseMode = (parameters: Parameters): void => {
  if ((parameters.optional('response_mode') ?? 'query') !== 'query') throw new OAuthError('response_mode_unsupported');
};
