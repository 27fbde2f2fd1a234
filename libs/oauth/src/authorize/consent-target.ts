import { CONFIRM_IDENTITY, type ReturnTargetKind } from '#identity';
import { html } from '#site';
import { travellersName } from '../clients/client-name.js';
import type { Clients } from '../clients/clients.js';
import type { AuthorizationRequests } from './authorization-requests.js';

/** The path of the consent page of a stored authorization request, to which a login may lead. */
export const consentPath = (requestId: string): string => `/oauth/consent/${encodeURIComponent(requestId)}`;

/** The return target of the consent page. Its login page names the client. @throws OAuthError `authorization_request_gone`, `client_unknown` */
export const consentTarget = (requests: AuthorizationRequests, clients: Clients): ReturnTargetKind => ({
  path: consentPath,
  at: 'auth',
  loginText: async (requestId, isLoggedIn) => {
    const { clientId, redirectUri } = await requests.find(requestId);
    const name = travellersName(await clients.get(clientId), new URL(redirectUri).host);
    const next = isLoggedIn
      ? 'Para decidir, informe sua senha de novo; nada foi decidido ainda.'
      : 'Depois de entrar, você vê o que ele pede.';
    return {
      heading: isLoggedIn ? CONFIRM_IDENTITY : 'Entre para decidir',
      lead: html`<strong>${name}</strong> quer agir em seu nome. ${next}`,
      isAgain: false,
      redirectUri,
    };
  },
});
