import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/** An S256 challenge is always 43 characters (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** PKCE with S256, said in so many words: neither `plain` nor a missing method (OAuth 2.1 §4.1.1). @throws OAuthError `pkce_required` */
export const checkPkce = (parameters: Parameters): string => {
  const challenge = parameters.optional('code_challenge') ?? '';
  const isS256 = parameters.optional('code_challenge_method') === 'S256';
  if (!isS256 || !CHALLENGE.test(challenge)) throw new OAuthError('pkce_required');
  return challenge;
};
