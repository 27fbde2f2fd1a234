import { OAuthError } from '../oauth-error.js';
import { type Parameters, ProtocolError } from '#identity';

/** `state` may be left out, since PKCE is not; it holds printable ASCII (RFC 6749 A.5). @throws OAuthError `state_flawed`, `parameter_flawed` */
export const checkState = (parameters: Parameters): string | null => {
  const state = parameters.optional('state') ?? null;
  if (state !== null && !/^[\x20-\x7E]+$/.test(state)) throw new OAuthError('state_flawed');
  return state;
};

/** The state to answer with, whatever else was wrong: null where it is not sound itself. */
export const soundState = (parameters: Parameters): string | null => {
  try {
    return checkState(parameters);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
};
