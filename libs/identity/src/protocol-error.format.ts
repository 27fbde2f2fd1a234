import { asDomainError, type BaseUrls, type ErrorFormat, prefersHtml } from '#http';
import { html, page, type Page, sendPage } from '#site';
import { type ErrorAnswer, ProtocolError, RequestError } from './protocol-error.js';

/** What went wrong, told to the traveller where it must not go to the client. */
export const errorPage = ({ status, error, message }: ErrorAnswer, urls: BaseUrls, httpRequestId: string): Page => ({
  status,
  formTargets: [],
  html: page({
    title: 'Pedido recusado',
    host: new URL(urls.auth).host,
    content: html`<h1>Não foi possível continuar</h1>
      <p class="lead" role="alert">${message}</p>
      <p class="small">Código <strong>${error}</strong> · requisição <strong>${httpRequestId}</strong></p>`,
  }),
});

/** Whatever was thrown, as an error in OAuth's form: nothing else of the catalogue has a place in it. */
const asProtocolError = (error: unknown): ProtocolError => {
  if (error instanceof ProtocolError) return error;
  const { code } = asDomainError(error);
  if (code === 'rate_limited') return new RequestError('rate_limited', { cause: error });
  const isDown = code === 'service_unavailable';
  return new RequestError(isDown ? 'temporarily_unavailable' : 'server_error', { cause: error });
};

/** Errors of the endpoints that programs call: always JSON (RFC 6749 §5.2). */
export const protocolErrors: ErrorFormat = (thrown, request) => {
  const { reason, answer, cause = thrown } = asProtocolError(thrown);
  const { status, error, description, message } = answer;
  const body = { error, error_description: description, message, requestId: request.id };
  return {
    status,
    code: reason,
    cause,
    retryAfter: asDomainError(cause).retryAfter ?? (status === 503 ? 1 : undefined),
    send: (reply) => {
      // Always Basic, however the client tried (RFC 6749 §5.2; RFC 9110 §15.5.2).
      if (status === 401) void reply.header('www-authenticate', 'Basic realm="alcada", charset="UTF-8"');
      void reply.code(status).header('cache-control', 'no-store').header('pragma', 'no-cache').send(body);
    },
  };
};

/** Errors of what a browser visits: a page, or JSON for a caller that asks for no page. */
export const pageErrors: ErrorFormat = (thrown, request) => {
  const answer = protocolErrors(thrown, request);
  if (!prefersHtml(request)) return answer;
  const page = errorPage(asProtocolError(thrown).answer, request.urls, request.id);
  return { ...answer, send: (reply) => sendPage(reply, page) };
};
