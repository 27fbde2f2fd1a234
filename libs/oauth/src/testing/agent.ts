import { createHash } from 'node:crypto';
import { newSecret } from '../secrets.js';
import { Browser, formTo, type Seen } from './browser.js';
import type { TestServer } from './test-server.js';
import { CALLBACK, PASSWORD, PILOT } from './test-settings.js';

export type Fields = Readonly<Record<string, string | undefined>>;

/** Drops what is undefined, so that a test can leave a parameter out. */
export const formOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

export const basic = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
export const PILOT_BASIC = basic(PILOT.clientId, PILOT.secret);

export const verifier = newSecret();
export const challenge = createHash('sha256').update(verifier).digest('base64url');

/** A sound authorization request, changed by a test. */
export const authorizeUrl = (change: Fields = {}): string =>
  `/oauth/authorize?${formOf({
    response_type: 'code',
    client_id: PILOT.clientId,
    redirect_uri: CALLBACK,
    scope: 'booking:write receipt:read',
    state: 'estado',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...change,
  }).toString()}`;

/** Where a redirect leads. */
export const locationOf = ({ headers }: Seen): URL => new URL(String(headers['location']), 'http://127.0.0.1:3000');

/** Ana logs in and stands before the consent page of a request. */
export const reachConsent = async (browser: Browser, change: Fields = {}): Promise<Seen> => {
  const login = formTo(await browser.get(authorizeUrl(change)), '/oauth/login');
  const entered = await browser.post(login, { username: 'ana@example.com', password: PASSWORD });
  return browser.get(locationOf(entered).pathname);
};

/** The redirect after Ana approves a request. */
export const approved = async (server: TestServer, change: Fields = {}): Promise<URL> => {
  const browser = new Browser(server);
  const consent = await reachConsent(browser, change);
  return locationOf(await browser.post(formTo(consent, '/oauth/consent'), { decision: 'approve' }));
};

export const newCode = async (server: TestServer, change: Fields = {}): Promise<string> =>
  (await approved(server, change)).searchParams.get('code') ?? '';

/** A token endpoint's answer, in JSON. */
export interface TokenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, string>>;
}

export const postToken = async (
  server: TestServer,
  payload: Fields | string,
  headers: Readonly<Record<string, string>> = { authorization: PILOT_BASIC },
): Promise<TokenReply> => {
  const answer = await server.inject({
    method: 'POST',
    url: '/oauth/token',
    payload: typeof payload === 'string' ? payload : formOf(payload).toString(),
    headers: { host: '127.0.0.1:3000', 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, string>>() };
};

export const codeFields = (code: string): Fields => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
});
export const refreshFields = (token: string | undefined): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: token,
});

/** Access and refresh token of a whole new authorization. */
export const newTokens = async (server: TestServer, change: Fields = {}) => {
  const { body } = await postToken(server, codeFields(await newCode(server, change)));
  return { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' };
};

/** Calls the protected operation. */
export const callApi = async (server: TestServer, authorization: string | undefined, host = '127.0.0.1:3000') => {
  const headers = { host, ...(authorization !== undefined && { authorization }) };
  const answer = await server.inject({ method: 'GET', url: '/api/v1/quem-sou', headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
};
