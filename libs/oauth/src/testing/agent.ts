import { createHash } from 'node:crypto';
import { newSecret } from '#identity';
import { Browser, formTo } from './browser.js';
import { type Received, send } from './send.js';
import type { TestServer } from './test-server.js';
import { CALLBACK, HOST, ISSUER, PASSWORD, PILOT } from './test-settings.js';

export type Fields = Readonly<Record<string, string | undefined>>;

/** Drops what is undefined, so that a test can leave a parameter out. */
export const formOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

export const basic = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
export const PILOT_BASIC = basic(PILOT.clientId, PILOT.secret);

export const verifier = newSecret();
export const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The parameters of a valid authorization request, changed by a test. */
export const authorizeFields = (change: Fields = {}): Fields => ({
  response_type: 'code',
  client_id: PILOT.clientId,
  redirect_uri: CALLBACK,
  scope: 'booking:write receipt:read',
  state: 'estado',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...change,
});
export const authorizeUrl = (change: Fields = {}): string =>
  `/oauth/authorize?${formOf(authorizeFields(change)).toString()}`;

export const locationOf = ({ headers }: Received): URL => new URL(headers['location'] ?? '', ISSUER);

export const reachConsent = (browser: Browser, change: Fields = {}): Promise<Received> =>
  consentAt(browser, authorizeUrl(change));

/** The same of a request at any address. */
export const consentAt = async (browser: Browser, address: string): Promise<Received> => {
  const page = await browser.get(address);
  if (!page.body.includes('name="password"')) return page;
  const entered = await browser.post(formTo(page, '/oauth/login'), { username: 'ana@example.com', password: PASSWORD });
  return browser.get(locationOf(entered).pathname);
};

/** Ana's own browser on each server, so that she need not log in for every test. */
const anas = new WeakMap<TestServer, Browser>();
const anasBrowser = (server: TestServer): Browser => {
  const browser = anas.get(server) ?? new Browser(server);
  anas.set(server, browser);
  return browser;
};

/** The redirect after Ana approves a request, or has approved it before. */
export const approved = async (server: TestServer, change: Fields = {}): Promise<URL> => {
  const browser = anasBrowser(server);
  const consent = await reachConsent(browser, change);
  if (consent.status === 303) return locationOf(consent);
  return locationOf(await browser.post(formTo(consent, '/oauth/consent'), { decision: 'approve' }));
};

export const newCode = async (server: TestServer, change: Fields = {}): Promise<string> =>
  (await approved(server, change)).searchParams.get('code') ?? '';

export interface TokenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;

/** Sends a form to an endpoint for clients, as the pilot unless `headers` say otherwise. */
const postTo =
  (path: string) =>
  async (
    server: TestServer,
    payload: Fields | string,
    headers: Headers = { authorization: PILOT_BASIC },
  ): Promise<TokenReply> => {
    const answer = await send(server.port, {
      method: 'POST',
      path,
      body: typeof payload === 'string' ? payload : formOf(payload).toString(),
      headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    return { ...answer, body: (answer.body ? JSON.parse(answer.body) : {}) as Record<string, string> };
  };

export const postPar = postTo('/oauth/par');
export const postRegister = postTo('/oauth/register');
export const postToken = postTo('/oauth/token');
export const postRevoke = postTo('/oauth/revoke');
export const postIntrospect = postTo('/oauth/introspect');

export const codeFields = (code: string): Fields => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
});
export const refreshFields = (token: string | undefined): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: token,
});

export const newTokens = async (server: TestServer, change: Fields = {}) => {
  const { body } = await postToken(server, codeFields(await newCode(server, change)));
  return { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' };
};

export const callApi = async (server: TestServer, authorization: string | undefined, path = '/api/v1/quem-sou') => {
  const headers = { host: HOST, ...(authorization !== undefined && { authorization }) };
  const answer = await send(server.port, { method: 'GET', path, headers });
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> };
};
