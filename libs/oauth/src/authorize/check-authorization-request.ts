import type { BaseUrls } from '#http';
import type { Instant } from '#kernel';
import type { Clients } from '../clients/clients.js';
import { RefusedByRedirect } from '../oauth-error.js';
import { type Parameters, ProtocolError } from '#identity';
import { scopesIn } from '../requested-scopes.js';
import { checkResources } from '../resources.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { checkClient } from './check-client.js';
import { checkPkce } from './check-pkce.js';
import { checkLoginSince, checkPrompt } from './check-prompt.js';
import { checkRedirectUri } from './check-redirect-uri.js';
import { checkRequestObject } from './check-request-object.js';
import { checkResponseMode } from './check-response-mode.js';
import { checkResponseType } from './check-response-type.js';
import { checkState, soundState } from './check-state.js';
import { errorResponse } from './redirect.js';

/**
 * The pipeline of `GET /oauth/authorize`: each line a rule with a file of its own, the first to fail wins. Until client
 * and redirect URI are proven good an error is shown to the traveller; from then on the client learns it by redirect.
 *
 * @throws OAuthError before, RefusedByRedirect after; DomainError `service_unavailable`.
 */
export const checkAuthorizationRequest = async (
  parameters: Parameters,
  { clients, urls, now }: { readonly clients: Clients; readonly urls: BaseUrls; readonly now: Instant },
): Promise<AuthorizationRequest> => {
  const client = await checkClient(parameters, clients);
  const redirectUri = checkRedirectUri(parameters, client, urls);
  try {
    parameters.requireSound();
    checkRequestObject(parameters);
    checkResponseType(parameters);
    checkResponseMode(parameters);
    const prompt = checkPrompt(parameters);
    return {
      clientId: client.clientId,
      redirectUri,
      state: checkState(parameters),
      codeChallenge: checkPkce(parameters),
      scopes: scopesIn(parameters.optional('scope')),
      resources: checkResources(parameters, urls),
      prompt,
      loginSince: checkLoginSince(parameters, prompt, now),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const to = { redirectUri, state: soundState(parameters) };
    throw new RefusedByRedirect(errorResponse(to, urls, error.answer), { cause: error });
  }
};
