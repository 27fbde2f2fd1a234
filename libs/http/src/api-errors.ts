import { applyDecorators } from '@nestjs/common';
import { ApiResponse, type ApiResponseNoStatusOptions } from '@nestjs/swagger';
import type { ErrorCode } from '#kernel';
import type { BaseUrls } from './base-urls.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { ERROR_GUIDE } from './error-guide.js';
import { errorExample, errorSchemaName, errorSchemas } from './error-schemas.js';

type Content = NonNullable<ApiResponseNoStatusOptions['content']>;

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'A requisição não pôde ser lida.',
  401: 'Falta um token de acesso válido.',
  402: 'O pagamento não foi feito.',
  403: 'Não é permitido a quem pede.',
  404: 'Não existe, ou não para quem pede.',
  408: 'A requisição não chegou inteira a tempo.',
  409: 'Não é possível no estado atual.',
  410: 'Não existe mais.',
  413: 'O corpo é grande demais.',
  415: 'O corpo não é application/json.',
  422: 'A requisição foi lida e não pode ser atendida como está.',
  429: 'Foram requisições demais.',
  500: 'Algo falhou do lado do serviço.',
  503: 'O serviço não pode responder agora.',
};

/** The form of an error with one of these codes, which `error` names. */
const schemaFor = (codes: readonly ErrorCode[]): Content[string]['schema'] => {
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${errorSchemaName(code)}`]));
  const variants = Object.values(mapping).map(($ref) => ({ $ref }));
  const [only] = variants;
  if (only && variants.length === 1) return only;
  return { oneOf: variants, discriminator: { propertyName: 'error', mapping } };
};

/** Errors as OpenAPI shows them: grouped by status, an example for each code, which is a component of its code's name. */
export const errorResponses = (codes: readonly ErrorCode[]): Readonly<Record<number, ErrorResponse>> =>
  Object.fromEntries(
    [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))].map((status) => {
      const ofStatus = [...new Set(codes)].filter((code) => ERROR_CATALOGUE[code].status === status);
      const examples = Object.fromEntries(ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
      return [
        status,
        {
          description: `${STATUS_TEXTS[status] ?? ''} Códigos: ${ofStatus.join(', ')}.`,
          content: { 'application/json': { schema: schemaFor(ofStatus), examples } },
        },
      ];
    }),
  );

export const errorComponents = (codes: readonly ErrorCode[], urls: BaseUrls) => ({
  schemas: errorSchemas(codes),
  examples: Object.fromEntries(
    codes.map((code) => {
      const { means, meansEn } = ERROR_GUIDE[code];
      const texts = { summary: ERROR_CATALOGUE[code].message, description: means, 'x-description-en': meansEn };
      return [code, { ...texts, value: errorExample(code, urls) }];
    }),
  ),
});

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
export const ApiUnchanged = () =>
  ApiResponse({
    status: 304,
    description: 'O que o If-None-Match nomeia não mudou.',
    ...{ 'x-description-en': 'What If-None-Match names has not changed.' },
  });

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

/** The errors that an operation may return before its handler runs (docs/decisions.md, Errors), so that none lists them itself. */
export const errorsBefore = ({ takesBody, needsToken, takesKey }: Edge): readonly ErrorCode[] => [
  ...(takesBody ? BEFORE_BODIES : []),
  ...(needsToken ? (['token_missing', 'invalid_token', 'insufficient_scope'] as const) : []),
  ...(takesKey ? (['invalid_idempotency_key', 'idempotency_in_flight', 'idempotency_conflict'] as const) : []),
  'unknown_member',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];
