import { applyDecorators, type ArgumentsHost, Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { DomainError, type ErrorCode, Unavailable } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Overloaded } from './concurrency-limit.js';
import { answerOf, asDomainError } from './error-answer.js';
import { configOf, configureRoute } from './request.js';
import { authenticateChallenge } from './scopes.guard.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The form in which hooks refuse its requests; absent: the API's own. */
    errors?: ErrorFormat;
    /** The form in which its bodies are refused where they cannot be read; absent: the API's own. */
    bodyErrors?: ErrorFormat;
  }
}

export interface ErrorAnswer {
  readonly status: number;
  /** Stable code of the error, for the log. */
  readonly code: string;
  /** What went wrong inside. It is logged if the failure is ours, and never sent. */
  readonly cause: unknown;
  /** Seconds after which another try may succeed; undefined if that is not known. */
  readonly retryAfter: number | undefined;
  readonly send: (reply: FastifyReply) => void;
}

/** The form in which a controller's errors are answered: JSON, a page, or what a protocol asks for. */
export type ErrorFormat = (error: unknown, request: FastifyRequest) => ErrorAnswer;

/** Seconds after which another try may find things changed, unless the error itself knows better. */
const RETRY_AFTER: Readonly<Partial<Record<ErrorCode, number>>> = {
  service_unavailable: 1,
  order_in_progress: 1,
  idempotency_in_flight: 1,
  rate_limited: 60,
};

/** The API's own form (docs/interface.md, Errors), which is also that of every address without a form of its own. */
export const jsonErrors: ErrorFormat = (error, request) => {
  const domainError = asDomainError(error);
  const { code, cause = domainError, retryAfter = RETRY_AFTER[code] } = domainError;
  const { status, body } = answerOf(domainError, request);
  request.errorCode = code;
  const send = (reply: FastifyReply): void => {
    const challenge = authenticateChallenge(code, request);
    if (challenge !== null) void reply.header('www-authenticate', challenge);
    void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  return { status, code, cause, retryAfter, send };
};

/** Whether the caller left before all of the request was there: then reading it failed, and nothing of ours did. */
const isCutOff = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Puts an error into its form. Failures of ours (5xx) are logged with their cause; a refusal for load only as a line. */
export const reportError = (error: unknown, request: FastifyRequest, format = jsonErrors): ErrorAnswer => {
  const refusal = isCutOff(request) ? new DomainError('malformed_json', undefined, { cause: error }) : error;
  const answer = format(refusal, request);
  const { status, code, cause } = answer;
  if (cause instanceof Overloaded) request.log.info({ code }, 'refused for load');
  else if (cause instanceof Unavailable && cause.isForeseen) request.log.info({ code }, cause.message);
  else if (status >= 500) request.log.error({ err: cause, code }, 'request failed');
  return answer;
};

/** Names the limit that refused a request beside the one that it counts under, which its head has (draft-ietf-httpapi-ratelimit-headers-10). */
const writeLimit = (error: unknown, seconds: number, reply: FastifyReply): void => {
  if (!(error instanceof DomainError && error.code === 'rate_limited')) return;
  const { limit } = (error.details ?? {}) as { readonly limit?: string };
  const counted = reply.getHeader('ratelimit');
  if (limit === undefined || String(counted).includes(`"${limit}";`)) return;
  const refusing = `"${limit}";r=0;t=${seconds}`;
  void reply.header('ratelimit', counted === undefined ? refusing : `${String(counted)}, ${refusing}`);
};

/** Sends `error` on `reply`, and logs it: every error of the service, so that none has the framework's own form. */
export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply, format?: ErrorFormat): void => {
  try {
    const { retryAfter, send } = reportError(error, request, format);
    if (retryAfter !== undefined) {
      void reply.header('retry-after', retryAfter.toString());
      writeLimit(error, retryAfter, reply);
    }
    send(reply);
  } catch (failure) {
    request.log.error({ err: failure, code: 'internal_error' }, 'an error could not be answered in its form');
    const { status, body } = answerOf(new DomainError('internal_error'), request);
    void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  }
};

const answerIn =
  (formatOf: (request: FastifyRequest) => ErrorFormat) =>
  (error: unknown, host: ArgumentsHost): void => {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    sendError(error, request, http.getResponse<FastifyReply>(), formatOf(request));
  };

/** The application's filter, which has what parsers refuse as well: errors are JSON, unless a controller says otherwise. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly catch = answerIn((request) => configOf(request).bodyErrors ?? jsonErrors);
}

/** Answers the errors of a controller or an operation in this form. */
export const ErrorsAs = (format: ErrorFormat) =>
  applyDecorators(UseFilters({ catch: answerIn(() => format) }), configureRoute({ errors: format }));
