import { type BaseUrls, type ErrorFormat, isLoopback, prefersHtml } from '#http';
import { type ErrorAnswer, errorPage, pageErrors, type ProtocolError, protocolErrors } from '#identity';
import { html, type Html, sendPage } from '#site';
import type { Client } from '../clients/clients.js';

/** The target of an authorization response: the validated redirect URI, and the client's state. */
export interface ReturnTo {
  readonly redirectUri: string;
  readonly state: string | null;
}

/** The redirect URI with its own query, the response's parameters, and always `iss` (RFC 9207 §2). */
const responseTo = (
  { redirectUri, state }: ReturnTo,
  { auth }: BaseUrls,
  parameters: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUri);
  const all = { ...parameters, ...(state !== null && { state }), iss: auth };
  for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
  return url.href;
};

/** RFC 6749 §4.1.2. */
export const codeResponse = (to: ReturnTo, urls: BaseUrls, code: string): string => responseTo(to, urls, { code });

/** RFC 6749 §4.1.2.1. */
export const errorResponse = (to: ReturnTo, urls: BaseUrls, { error, description }: ErrorAnswer): string =>
  responseTo(to, urls, { error, error_description: description });

/** A request that was refused after its client and redirect URI were validated: the client is informed by redirect. */
export class RefusedByRedirect extends Error {
  override readonly name = 'RefusedByRedirect';

  constructor(
    readonly location: string,
    /** Whether nobody registered the client: then nobody is sent there who has not seen where that is (RFC 9700 §4.11.2). */
    readonly isOfStranger: boolean,
    override readonly cause: ProtocolError,
  ) {
    super('refused by redirect', { cause });
  }
}

export const refusedTo = (client: Client, to: ReturnTo, urls: BaseUrls, cause: ProtocolError): RefusedByRedirect =>
  new RefusedByRedirect(errorResponse(to, urls, cause.answer), client.registration !== undefined, cause);

export const authorizationErrors: ErrorFormat = (error, request) => {
  if (!(error instanceof RefusedByRedirect)) return pageErrors(error, request);
  const { location, isOfStranger, cause } = error;
  if (isOfStranger) {
    const answer = protocolErrors(cause, request);
    if (!prefersHtml(request)) return answer;
    const page = errorPage(cause.answer, request.urls, request.id, wayBack(location));
    return { ...answer, send: (reply) => sendPage(reply, page) };
  }
  return {
    status: 302,
    code: 'refused_by_redirect',
    cause,
    retryAfter: undefined,
    send: (reply) => {
      void reply.code(302).header('location', location).header('cache-control', 'no-store').send();
    },
  };
};

/** The way to a client that nobody registered, for a person who wants to go there. */
const wayBack = (location: string): Html => {
  const { host } = new URL(location);
  const where = isLoopback(host) ? 'um programa neste computador' : host;
  return html`<p>
      O pedido veio de um aplicativo que ninguém conferiu, e nada foi decidido. Só volte para ele se foi você quem
      começou.
    </p>
    <p class="actions"><a class="button quiet" href="${location}" rel="noreferrer">Voltar para ${where}</a></p>`;
};
