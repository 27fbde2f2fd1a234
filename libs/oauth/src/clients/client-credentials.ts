import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/** A client id with the secret it came with, if any. */
export interface Credentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/**
 * The credentials of a token request, in every reading they authorize: `client_secret_basic`, `client_secret_post`, or the
 * id alone (`none`). One way at a time (RFC 6749 §2.3).
 *
 * @throws OAuthError `client_unauthenticated` where there are none, `several_client_authentications`, `parameter_flawed`.
 */
export const credentialsOf = (authorization: string | undefined, parameters: Parameters): readonly Credentials[] => {
  const clientId = parameters.optional('client_id');
  const secret = parameters.optional('client_secret') ?? null;
  if (authorization === undefined) {
    if (clientId === undefined) throw new OAuthError('client_unauthenticated');
    return [{ clientId, secret }];
  }
  const readings = basicCredentials(authorization);
  const isOneWay = secret === null && (clientId === undefined || readings.some((one) => one.clientId === clientId));
  if (!isOneWay) throw new OAuthError('several_client_authentications');
  return readings;
};

/** HTTP Basic, form-decoded as RFC 6749 §2.3.1 says, and as it stands, as many clients send it. */
const basicCredentials = (authorization: string): readonly Credentials[] => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, name, secret] = /^([^:]+):(.*)$/su.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (name === undefined || secret === undefined) throw new OAuthError('client_unauthenticated');
  const raw = { clientId: name, secret };
  try {
    return [{ clientId: formDecoded(name), secret: formDecoded(secret) }, raw];
  } catch {
    return [raw];
  }
};

/** @throws URIError */
const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
