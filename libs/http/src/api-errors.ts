import { applyDecorators } from '@nestjs/common';
import { ApiResponse, type ApiResponseNoStatusOptions } from '@nestjs/swagger';
import type { ErrorCode } from '#kernel';
import { ERROR_CATALOGUE } from './error-catalogue.js';

type Content = NonNullable<ApiResponseNoStatusOptions['content']>;

type Properties = Readonly<Record<string, object>>;

const PROPERTIES: Properties = {
  error: { type: 'string', description: 'Código estável do erro.' },
  message: { type: 'string', description: 'Descrição para pessoas.' },
  details: { description: 'O que se sabe a mais; depende do erro.' },
  requestId: { type: 'string', description: 'Identifica a requisição (X-Request-Id).' },
};

const members = (description: string, properties: Properties) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  description,
});
const ORDER = {
  order: members('O pedido de que o erro trata, se houver um.', {
    id: { type: 'string', format: 'uuid' },
    status: { type: 'string' },
    url: { type: 'string', format: 'uri' },
  }),
};
const CHALLENGE = {
  challenge: members('A confirmação que o viajante deve dar, em url.', {
    id: { type: 'string', format: 'uuid' },
    url: { type: 'string', format: 'uri' },
    expiresAt: { type: 'string', format: 'date-time' },
    pollAfterSeconds: { type: 'integer' },
  }),
};

const APPROVAL = {
  mandate: members('O mandato que espera a decisão do viajante.', {
    id: { type: 'string', format: 'uuid' },
    status: { type: 'string' },
    url: { type: 'string', format: 'uri' },
  }),
  approval: members('A decisão que o viajante deve tomar, em url.', {
    url: { type: 'string', format: 'uri' },
    expiresAt: { type: 'string', format: 'date-time' },
    pollAfterSeconds: { type: 'integer' },
  }),
};

/** Codes whose errors name things that have an address (ADR 0016), with the members that do. */
const NAMING: Readonly<Partial<Record<ErrorCode, Properties>>> = {
  booking_already_ordered: ORDER,
  order_in_progress: ORDER,
  payment_challenge_required: { ...ORDER, ...CHALLENGE },
  mandate_pending: APPROVAL,
  service_unavailable: ORDER,
};

const schemaFor = (codes: readonly ErrorCode[]): Content[string]['schema'] => ({
  type: 'object',
  required: ['error', 'message', 'requestId'],
  properties: Object.assign({}, PROPERTIES, ...codes.map((code) => NAMING[code])) as Record<string, object>,
});

/** Errors as OpenAPI shows them: grouped by status, an example for each code. */
export const errorResponses = (codes: readonly ErrorCode[]): Readonly<Record<number, ErrorResponse>> =>
  Object.fromEntries(
    [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))].map((status) => {
      const ofStatus = [...new Set(codes)].filter((code) => ERROR_CATALOGUE[code].status === status);
      const examples = Object.fromEntries(
        ofStatus.map((code) => [
          code,
          { value: { error: code, message: ERROR_CATALOGUE[code].message, requestId: 'b7f0…' }, summary: code },
        ]),
      );
      return [
        status,
        {
          description: ofStatus.join(', '),
          content: { 'application/json': { schema: schemaFor(ofStatus), examples } },
        },
      ];
    }),
  );

interface ErrorResponse {
  readonly description: string;
  readonly content: Content;
}

/** Documents the errors that an operation's handler answers. What may be answered before it is `errorsBefore` the handler. */
export const ApiErrors = (...codes: readonly ErrorCode[]) =>
  applyDecorators(
    ...Object.entries(errorResponses(codes)).map(([status, response]) =>
      ApiResponse({ status: Number(status), ...response }),
    ),
  );

/** Documents that a caller who names the tag of what it has gets 304 and no body. */
export const ApiUnchanged = () => ApiResponse({ status: 304, description: 'O que o If-None-Match nomeia não mudou.' });

const BEFORE_BODIES = [
  ...(['invalid_signature', 'malformed_json', 'request_timeout', 'payload_too_large'] as const),
  'unsupported_media_type',
] as const;

/** What of an operation decides what parsers, guards and limits may answer in its place. */
interface Edge {
  readonly takesBody: boolean;
  readonly needsToken: boolean;
  readonly takesKey: boolean;
}

/**
 * The errors that an operation may answer before or instead of its handler (docs/decisions.md, Errors), so that none of
 * them lists these itself.
 */
export const errorsBefore = ({ takesBody, needsToken, takesKey }: Edge): readonly ErrorCode[] => [
  ...(takesBody ? BEFORE_BODIES : []),
  ...(needsToken ? (['token_missing', 'invalid_token', 'insufficient_scope'] as const) : []),
  ...(takesKey ? (['invalid_idempotency_key', 'idempotency_in_flight', 'idempotency_conflict'] as const) : []),
  'unknown_member',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];
