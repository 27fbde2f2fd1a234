import type { BaseUrls } from '#http';
import { type Parameters, ProtocolError } from '#identity';
import { type Instant, plus } from '#kernel';
import type { ClientLookup } from '../clients/client-lookup.js';
import type { Client } from '../clients/clients.js';
import { isRedirectUriOf } from '../clients/redirect-uris.js';
import { OAuthError } from '../oauth-error.js';
import { checkResources, scopesIn, ucpNamesIn } from '../requested-access.js';
import { refusedTo } from './authorization-response.js';
import { detailsIn } from './authorization-details.js';
import { type AuthorizationRequest, type Prompt, PROMPTS } from './authorization-requests.js';

/** What a request is checked against, and how the ids of the mandates are made that it asks for. */
interface CheckedAgainst {
  readonly urls: BaseUrls;
  readonly now: Instant;
  readonly newId: () => string;
}

/** Checks a request. @throws OAuthError until client and redirect URI are known, RefusedByRedirect after; Unavailable */
export const checkAuthorizationRequest = async (
  parameters: Parameters,
  clients: ClientLookup,
  against: CheckedAgainst,
): Promise<AuthorizationRequest> => {
  const client = await clientOf(parameters, clients);
  const redirectUri = redirectUriOf(parameters, client, against.urls);
  try {
    if (client.requirePar) throw new OAuthError('push_required');
    return checkedRequest(parameters, { client, redirectUri }, against);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw refusedTo(client, { redirectUri, state: stateToEcho(parameters) }, against.urls, error);
  }
};

/** The same rules for what an authenticated client pushes (RFC 9126 §2.1). It gets every error itself. @throws OAuthError */
export const checkPushedRequest = (
  parameters: Parameters,
  client: Client,
  against: CheckedAgainst,
): AuthorizationRequest => {
  if (parameters.optional('request_uri') !== undefined) throw new OAuthError('request_uri_pushed');
  return checkedRequest(parameters, { client, redirectUri: redirectUriOf(parameters, client, against.urls) }, against);
};

/** The rules of both, one in each line; the first that fails is answered. */
const checkedRequest = (
  parameters: Parameters,
  { client, redirectUri }: { readonly client: Client; readonly redirectUri: string },
  { urls, now, newId }: CheckedAgainst,
): AuthorizationRequest => {
  parameters.requireWellFormed();
  checkNoRequestObject(parameters);
  checkResponseType(parameters);
  checkResponseMode(parameters);
  const prompt = promptOf(parameters);
  const ucpNames = ucpNamesIn(parameters.optional('scope'));
  return {
    clientId: client.clientId,
    redirectUri,
    state: stateOf(parameters),
    codeChallenge: codeChallengeOf(parameters),
    ...dpopJktOf(parameters),
    scopes: scopesIn(parameters.optional('scope')),
    ...(ucpNames.length > 0 && { ucpNames }),
    resources: checkResources(parameters, urls),
    prompt,
    loginSince: loginSinceOf(parameters, prompt, now),
    details: detailsIn(parameters.optional('authorization_details'), newId),
    approval: null,
  };
};

/** `client_id` names a client. @throws OAuthError `client_unknown`, `client_document_refused` */
export const clientOf = async (parameters: Parameters, clients: ClientLookup): Promise<Client> => {
  const clientId = parameters.optional('client_id');
  const client = clientId === undefined ? null : await clients.find(clientId);
  if (!client) throw new OAuthError('client_unknown');
  return client;
};

/** `redirect_uri` is present and one of the client's. */
const redirectUriOf = (parameters: Parameters, client: Client, urls: BaseUrls): string => {
  const redirectUri = parameters.optional('redirect_uri');
  if (redirectUri === undefined || !isRedirectUriOf(client, redirectUri, urls)) {
    throw new OAuthError('redirect_uri_unknown');
  }
  return redirectUri;
};

/** No request object: ignoring one would mean checking other parameters than the client signed (RFC 9101 §10.5). */
const checkNoRequestObject = (parameters: Parameters): void => {
  if (parameters.optional('request') !== undefined) throw new OAuthError('request_object_unsupported');
  if (parameters.optional('request_uri') !== undefined) throw new OAuthError('request_uri_unsupported');
};

const checkResponseType = (parameters: Parameters): void => {
  if (parameters.required('response_type') !== 'code') throw new OAuthError('response_type_unsupported');
};

/** The code is sent in the query alone: elsewhere a client would not look for it (OAuth 2.0 Multiple Response Types §2.1). */
const checkResponseMode = (parameters: Parameters): void => {
  if ((parameters.optional('response_mode') ?? 'query') !== 'query') throw new OAuthError('response_mode_unsupported');
};

const isPrompt = (text: string): text is Prompt => PROMPTS.some((prompt) => prompt === text);

/** `prompt` holds known values, and `none` only by itself. */
const promptOf = (parameters: Parameters): readonly Prompt[] => {
  const prompts = parameters.optional('prompt')?.split(' ') ?? [];
  const isSilent = prompts.includes('none');
  if (!prompts.every(isPrompt) || (isSilent && prompts.length > 1)) throw new OAuthError('prompt_flawed');
  return prompts;
};

/** The longest state, in bytes: it is stored before anybody has logged in. */
const LONGEST_STATE = 1_024;

/** `state` may be absent, since PKCE is required. It holds printable ASCII (RFC 6749 A.5), a byte a character. */
const stateOf = (parameters: Parameters): string | null => {
  const state = parameters.optional('state') ?? null;
  const isFlawed = state !== null && (state.length > LONGEST_STATE || !/^[\x20-\x7E]+$/.test(state));
  if (isFlawed) throw new OAuthError('state_flawed');
  return state;
};

/** The state of an error response: none where the state itself is malformed. */
const stateToEcho = (parameters: Parameters): string | null => {
  try {
    return stateOf(parameters);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
};

/** PKCE, with S256 named as its method (OAuth 2.1 §4.1.1). Such a challenge has 43 characters (RFC 7636 §4.2). */
const codeChallengeOf = (parameters: Parameters): string => {
  const challenge = parameters.optional('code_challenge') ?? '';
  const isS256 = parameters.optional('code_challenge_method') === 'S256';
  if (!isS256 || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) throw new OAuthError('pkce_required');
  return challenge;
};

/** `dpop_jkt` (RFC 9449 §10), if there is one, is a thumbprint. */
const dpopJktOf = (parameters: Parameters): Pick<AuthorizationRequest, 'dpopJkt'> => {
  const dpopJkt = parameters.optional('dpop_jkt');
  if (dpopJkt === undefined) return {};
  if (!/^[A-Za-z0-9_-]{43}$/.test(dpopJkt)) throw new OAuthError('dpop_jkt_flawed');
  return { dpopJkt };
};

/** The earliest login that counts: now with `prompt=login`, `max_age` seconds ago with that; null: any. */
const loginSinceOf = (parameters: Parameters, prompts: readonly Prompt[], now: Instant): Instant | null => {
  const maxAge = parameters.optional('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw new OAuthError('max_age_flawed');
  if (prompts.includes('login')) return now;
  return maxAge === undefined ? null : plus(now, -1000 * Number(maxAge));
};
