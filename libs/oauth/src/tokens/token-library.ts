import OAuth2Server from '@node-oauth/oauth2-server';
import { DomainError, Unavailable } from '#kernel';
import { OAuthError, type OAuthReason } from '../oauth-error.js';

/** `@node-oauth/oauth2-server` in its one place: it orders a grant, and gets what is checked before: client, parameters, code. */

/** A token request for the library. Its `client_id` is that of the authenticated client. */
export type LibraryForm = Readonly<Record<string, string | undefined>> & { readonly client_id: string };

export interface Issuing {
  readonly generateAccessToken: (scopes: readonly string[]) => Promise<string>;
  readonly generateRefreshToken: () => string;
  /** Throws where the grant has changed since it was read. */
  readonly save: (refreshToken: string) => Promise<void>;
}

export interface FoundCode {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly redeem: () => Promise<void>;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[];
}

/** Our own clock has checked the expiry already; the library requires a date in the future. */
const FUTURE = new Date(8.64e15);

const unused = (): Promise<never> => Promise.reject(new Error('only tokens are issued by the library'));

/** Redeems a code. @throws OAuthError, Unavailable */
export const redeemWithLibrary = (form: LibraryForm, code: FoundCode, issuing: Issuing): Promise<IssuedTokens> => {
  const { redirectUri, codeChallenge, scopes, redeem } = code;
  const client = clientIn(form);
  return issue(form, {
    ...modelOf(client, issuing),
    getAuthorizationCode: (authorizationCode) =>
      Promise.resolve({
        authorizationCode,
        expiresAt: FUTURE,
        redirectUri,
        codeChallenge,
        codeChallengeMethod: 'S256',
        scope: [...scopes],
        client,
        user: {},
      }),
    revokeAuthorizationCode: () => redeem().then(() => true),
    saveAuthorizationCode: unused,
  });
};

/** Uses the newest refresh token of a grant with these scopes. @throws OAuthError, Unavailable */
export const refreshWithLibrary = (
  form: LibraryForm,
  scopes: readonly string[],
  issuing: Issuing,
): Promise<IssuedTokens> => {
  const client = clientIn(form);
  return issue(form, {
    ...modelOf(client, issuing),
    getRefreshToken: (refreshToken) => Promise.resolve({ refreshToken, scope: [...scopes], client, user: {} }),
    // The rotation is one compare-and-set in `save`, not two writes.
    revokeToken: () => Promise.resolve(true),
  });
};

const clientIn = ({ client_id: id }: LibraryForm): OAuth2Server.Client => ({
  id,
  grants: ['authorization_code', 'refresh_token'],
});

const modelOf = (client: OAuth2Server.Client, { generateAccessToken, generateRefreshToken, save }: Issuing) => ({
  getClient: () => Promise.resolve(client),
  getAccessToken: unused,
  generateAccessToken: (_: OAuth2Server.Client, __: OAuth2Server.User, scopes: string[]) => generateAccessToken(scopes),
  generateRefreshToken: () => Promise.resolve(generateRefreshToken()),
  saveToken: async (token: OAuth2Server.Token, ownClient: OAuth2Server.Client, user: OAuth2Server.User) => {
    if (token.refreshToken === undefined) throw new Error('the library made no refresh token');
    await save(token.refreshToken);
    return { ...token, client: ownClient, user };
  },
});

const issue = async (
  form: LibraryForm,
  model: OAuth2Server.AuthorizationCodeModel | OAuth2Server.RefreshTokenModel,
): Promise<IssuedTokens> => {
  // Safe, since the client has been authenticated by its registered method. The library would refuse a public client.
  const server = new OAuth2Server({ model, requireClientAuthentication: { refresh_token: false } });
  try {
    const { accessToken, refreshToken, scope } = await server.token(requestOf(form), new OAuth2Server.Response());
    return { accessToken, refreshToken, scopes: scope ?? [] };
  } catch (error) {
    throw fromLibrary(error, {
      invalid_grant: form['grant_type'] === 'refresh_token' ? 'refresh_token_invalid' : 'code_invalid',
      invalid_scope: 'scope_invalid',
    });
  }
};

/** The checked form as a new request. The library accepts a body only with its type and length. */
const requestOf = (form: LibraryForm): OAuth2Server.Request => {
  const sent = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined);
  const length = new URLSearchParams(sent).toString().length;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${length}` };
  return new OAuth2Server.Request({ method: 'POST', query: {}, headers, body: Object.fromEntries(sent) });
};

/** An error of the library as ours. Our own come inside its `ServerError`, whose message repeats theirs and is not shown. */
export const fromLibrary = (error: unknown, reasons: Readonly<Record<string, OAuthReason>> = {}): Error => {
  if (!(error instanceof OAuth2Server.OAuthError)) return new OAuthError('server_error', { cause: error });
  const { inner } = error as { inner?: unknown };
  if (inner instanceof OAuthError || inner instanceof DomainError || inner instanceof Unavailable) return inner;
  return new OAuthError(reasons[error.name] ?? 'server_error', { cause: error });
};
