import type { KeyObject } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import type { SigningKeys } from '../keys/signing-keys.js';
import { ACCESS_TOKEN_TYPE } from '../tokens/access-token.js';

/** A token whose header is not that of one of our access tokens. */
export class ForeignToken extends Error {
  override readonly name = 'ForeignToken';
}

/**
 * The key that must have signed a token, by what its header says and nothing else of it: never a key the token brings
 * along (`jwk`, `jku`, `x5c`), never another kind of token, no extension we do not know (RFC 8725 §3.11; RFC 7515 §4.1.11).
 *
 * @throws ForeignToken, or DomainError `service_unavailable` where the keys cannot be read.
 */
export const verificationKey = async (token: string, keys: SigningKeys): Promise<KeyObject> => {
  const { typ, kid, crit } = headerOf(token);
  if (typ !== ACCESS_TOKEN_TYPE || crit !== undefined || kid === undefined) throw new ForeignToken();
  const key = await keys.publicKey(kid);
  if (!key) throw new ForeignToken();
  return key;
};

const headerOf = (token: string) => {
  try {
    return decodeProtectedHeader(token);
  } catch (error) {
    throw new ForeignToken('no JWT', { cause: error });
  }
};
