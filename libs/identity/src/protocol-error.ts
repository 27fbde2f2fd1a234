import { asDomainError, type BaseUrls, ERROR_CATALOGUE, type ErrorFormat, prefersHtml } from '#http';
import { html, type Html, page, type Page, sendPage } from '#site';

export interface ErrorAnswer {
  readonly status: number;
  /** RFC 6749 §4.1.2.1 and §5.2, RFC 8707 §2, OpenID Connect Core §3.1.2.6. */
  readonly error: string;
  /** `error_description`: ASCII without quotes and backslash (RFC 6749 §5.2). */
  readonly description: string;
  readonly message: string;
}

/** An error in OAuth's form (RFC 6749 §5.2), the one of every path below `/oauth`. Its `cause` stays in the log. */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';

  constructor(
    readonly reason: string,
    readonly answer: ErrorAnswer,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

export const errorAnswer = (status: number, error: string, description: string, message: string): ErrorAnswer => ({
  status,
  error,
  description,
  message,
});

const badRequest = (description: string, message: string): ErrorAnswer =>
  errorAnswer(400, 'invalid_request', description, message);

/** The errors of forms and parameters, and those of any request. */
export const REQUEST_ERRORS = {
  parameter_flawed: badRequest(
    'a parameter is repeated, too long or not text',
    'Um parâmetro veio repetido, longo demais ou não é texto.',
  ),
  parameter_missing: badRequest('a required parameter is missing', 'Falta um parâmetro obrigatório.'),
  form_forged: errorAnswer(
    403,
    'invalid_request',
    'the form was not sent from its own page',
    'O formulário não veio da nossa página ou venceu. Abra a página de novo e tente outra vez.',
  ),
  decision_unknown: badRequest('decision must be approve or deny', 'Escolha um dos dois botões: aprovar ou recusar.'),
  signature_wrong: errorAnswer(
    403,
    'invalid_request',
    'the HTTP message signature of the request is wrong',
    'A assinatura HTTP desta requisição não confere.',
  ),
  rate_limited: errorAnswer(
    429,
    'rate_limited',
    'too many requests, try again later',
    'Requisições demais; tente de novo em instantes.',
  ),
  server_error: errorAnswer(
    500,
    'server_error',
    'unexpected error',
    'Erro interno. Se persistir, informe o requestId ao suporte.',
  ),
  temporarily_unavailable: errorAnswer(
    503,
    'temporarily_unavailable',
    'try again in a moment',
    'O serviço está temporariamente indisponível; tente de novo em instantes.',
  ),
} as const satisfies Readonly<Record<string, ErrorAnswer>>;

export class RequestError extends ProtocolError {
  override readonly name = 'RequestError';

  constructor(reason: keyof typeof REQUEST_ERRORS, options?: ErrorOptions) {
    super(reason, REQUEST_ERRORS[reason], options);
  }
}

/** Where somebody may go who cannot go on: an agent begins again by itself, and what it is let do is on their account. */
const WAYS_ON = html`<p>Se um agente ou aplicativo trouxe você até aqui, volte a ele e comece de novo.</p>
  <p class="actions">
    <a class="button" href="/conta">Ir para a sua conta</a>
    <a class="button quiet" href="/">Voltar ao início</a>
  </p>`;

/** The page of an error that must not be sent to the client. `next`: what somebody can do now. */
export const errorPage = (
  { status, error, message }: ErrorAnswer,
  urls: BaseUrls,
  httpRequestId: string,
  next: Html | null = null,
): Page => ({
  status,
  formTargets: [],
  html: page({
    title: 'Pedido recusado',
    host: new URL(urls.auth).host,
    content: html`<h1>Não foi possível continuar</h1>
      <p class="lead" role="alert">${message}</p>
      ${next ?? WAYS_ON}
      <p class="small">Código <strong>${error}</strong> · requisição <strong>${httpRequestId}</strong></p>`,
  }),
});

/** Any error as one in OAuth's form. A refusal of the catalogue keeps its status and its text. */
const asProtocolError = (error: unknown): ProtocolError => {
  if (error instanceof ProtocolError) return error;
  const { code } = asDomainError(error);
  const { status, message } = ERROR_CATALOGUE[code];
  if (code === 'rate_limited') return new RequestError('rate_limited', { cause: error });
  if (code === 'invalid_signature') return new RequestError('signature_wrong', { cause: error });
  const refused = errorAnswer(status, 'invalid_request', `refused: ${code}`, message);
  if (status < 500) return new ProtocolError(code, refused, { cause: error });
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
      // Always Basic, whichever method the client tried (RFC 6749 §5.2; RFC 9110 §15.5.2).
      if (status === 401) void reply.header('www-authenticate', 'Basic realm="alcada", charset="UTF-8"');
      void reply.code(status).header('cache-control', 'no-store').header('pragma', 'no-cache').send(body);
    },
  };
};

/** Errors of pages: a page, or JSON for a caller that does not ask for HTML. `next`: what somebody can do now. */
export const pageErrorsWith =
  (next: Html | null): ErrorFormat =>
  (thrown, request) => {
    const answer = protocolErrors(thrown, request);
    if (!prefersHtml(request)) return answer;
    const page = errorPage(asProtocolError(thrown).answer, request.urls, request.id, next);
    return { ...answer, send: (reply) => sendPage(reply, page) };
  };

/** The same where somebody came from an agent, or from their own account. */
export const pageErrors = pageErrorsWith(null);
