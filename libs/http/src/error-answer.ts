import { HttpException } from '@nestjs/common';
import { DomainError, ERROR_CODES, type ErrorCode, Unavailable } from '#kernel';
import type { FastifyRequest } from 'fastify';
import type { BaseUrls } from './base-urls.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';

/** The body of every error (docs/interface.md, Error), with what docs/decisions.md adds. */
export interface ErrorBody {
  readonly error: ErrorCode;
  readonly message: string;
  readonly details?: object;
  readonly doc_url: string;
  readonly requestId: string;
}

/** What the framework refuses by itself, in our words. The codes are Fastify's. */
const FRAMEWORK_CODES: ReadonlyMap<unknown, ErrorCode> = new Map<string, ErrorCode>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'payload_too_large'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'malformed_json'],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'malformed_json'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'malformed_json'],
  ['FST_ERR_BAD_URL', 'route_not_found'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'route_not_found'],
]);

const HTTP_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_json',
  404: 'route_not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'route_not_found',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/** An error as a refusal of the catalogue; what is not foreseen is an `internal_error` without details. */
export const asDomainError = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof Unavailable) {
    const { retryAfter } = error;
    return new DomainError('service_unavailable', undefined, { cause: error, ...(retryAfter && { retryAfter }) });
  }
  const { code } = (error ?? {}) as { code?: unknown };
  const known =
    FRAMEWORK_CODES.get(code) ?? (error instanceof HttpException ? HTTP_CODES[error.getStatus()] : undefined);
  return new DomainError(known ?? 'internal_error', undefined, { cause: error });
};

/** Path of the page about a code in Portuguese; the English one is linked from it. */
const DOC_PATHS = Object.fromEntries(ERROR_CODES.map((code) => [code, `/docs/erros/${code}`])) as Readonly<
  Record<ErrorCode, string>
>;

export const docUrl = (code: ErrorCode, { site }: Pick<BaseUrls, 'site'>): string => site + DOC_PATHS[code];

type Refused = Pick<FastifyRequest, 'id' | 'urls'>;

export const answerOf = (
  { code, details, members }: DomainError,
  { id, urls }: Refused,
): { readonly status: number; readonly body: ErrorBody } => {
  const { status, message } = ERROR_CATALOGUE[code];
  const body = { error: code, message, ...(details && { details }), ...members };
  return { status, body: { ...body, doc_url: docUrl(code, urls), requestId: id } };
};
