/** Where the authorization server sends the window back to, below `{site_url}`. */
export const RETURN_PATH = '/conectar/retorno';

/**
 * The built-in client that a browser's own agent acts as once its traveller has connected it on a page of ours. It keeps
 * no secret, gets no refresh token, and so ends with the page.
 */
export const SITE_CLIENT = {
  clientId: 'alcada-site',
  secret: null,
  name: 'Agente deste navegador',
  redirectUris: [`{site_url}${RETURN_PATH}`],
  pilot: false,
  refresh: false,
} as const;
