import { createHash, randomBytes } from 'node:crypto';
import type { Browser, Page } from './browser.js';
import type { ProofKey } from './proof-key.js';
import type { Send } from './send.js';

/** What an OAuth client needs of the authorization server's metadata (RFC 8414 §2). */
export interface ServerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/** An OAuth client as it is registered. `secret` null: a public one. */
export interface Registration {
  readonly clientId: string;
  readonly secret: string | null;
  readonly redirectUri: string;
}

/** A token response (RFC 6749 §5.1). */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  /** What was granted of the details that were asked for (RFC 9396 §7). */
  readonly authorization_details?: readonly GrantedDetail[];
}

/** A mandate that the traveller granted on the consent page, which may be less than was asked for. */
export interface GrantedDetail {
  readonly mandateId: string;
  readonly limit: { readonly amount: number; readonly currency: string };
}

/** Reads the metadata of the authorization server at `issuer` (RFC 8414 §3). */
export const discover = async (issuer: string, send: Send = fetch): Promise<ServerMetadata> => {
  const response = await send(`${issuer}/.well-known/oauth-authorization-server`);
  if (!response.ok) throw new Error(`no authorization server at ${issuer}: ${response.status}`);
  return (await response.json()) as ServerMetadata;
};

/** Whether the API of a service takes only tokens that are bound to a key (RFC 9728 §2). */
export const requiresProofs = async (origin: string): Promise<boolean> => {
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource/api/v1`);
  const metadata = (await response.json()) as { readonly dpop_bound_access_tokens_required?: boolean };
  return metadata.dpop_bound_access_tokens_required === true;
};

/** A fresh PKCE pair (RFC 7636 §4). */
export const pkce = (): { readonly verifier: string; readonly challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** The authorization request (RFC 6749 §4.1.1 with RFC 7636 §4.3). `details`: the mandates that it asks for (RFC 9396 §2). */
export const authorizationUrl = (
  server: ServerMetadata,
  client: Registration,
  {
    scopes,
    state,
    challenge,
    details,
  }: {
    readonly scopes: readonly string[];
    readonly state: string;
    readonly challenge: string;
    readonly details?: readonly object[];
  },
): URL => {
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(details && { authorization_details: JSON.stringify(details) }),
  }).toString();
  return url;
};

/** The traveller logs in and approves, with these fields of the page filled in; returns the address the browser is sent back to. */
export const consent = async (
  browser: Browser,
  address: URL,
  traveller: { readonly email: string; readonly password: string },
  fields: Readonly<Record<string, string>> = {},
): Promise<URL> => {
  let page: Page = await browser.open(address);
  if (page.html.includes('name="password"')) {
    page = await browser.submit(page, { username: traveller.email, password: traveller.password });
  }
  if (page.status !== 0) page = await browser.submit(page, { ...fields, decision: 'approve' });
  if (page.status !== 0) throw new Error(`the traveller was not sent back to the agent (status ${page.status})`);
  return page.url;
};

/** Exchanges the code of a callback for tokens, checking `state` and `iss` first (RFC 9207 §2.4). `key`: binds them; null: nothing. */
export const exchange = async (
  server: ServerMetadata,
  client: Registration,
  callback: URL,
  { state, verifier }: { readonly state: string; readonly verifier: string },
  key: ProofKey | null = null,
  send: Send = fetch,
): Promise<Tokens> => {
  const answer = callback.searchParams;
  if (answer.get('state') !== state) throw new Error('the callback carries another state');
  if (answer.get('iss') !== server.issuer) throw new Error('the callback comes from another issuer');
  const form = {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  };
  return requestTokens(server, client, form, key, send);
};

/** A token request with the client's own authentication (RFC 6749 §2.3.1). */
export const requestTokens = async (
  server: ServerMetadata,
  { clientId, secret }: Registration,
  parameters: Readonly<Record<string, string>>,
  key: ProofKey | null = null,
  send: Send = fetch,
): Promise<Tokens> => {
  const body = new URLSearchParams(secret === null ? { ...parameters, client_id: clientId } : { ...parameters });
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret ?? '')}`).toString('base64');
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Basic ${basic}` };
  const request = { method: 'POST', body, headers };
  const response = await (key ? key.fetch(server.token_endpoint, request) : send(server.token_endpoint, request));
  if (!response.ok) throw new Error(`the token endpoint answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Tokens;
};
