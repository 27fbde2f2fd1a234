import { applyDecorators } from '@nestjs/common';
import { ApiResponse, type ApiResponseNoStatusOptions } from '@nestjs/swagger';
import type { ErrorCode } from '#kernel';
import { ERROR_CATALOGUE } from './error-catalogue.js';

type ApiSchema = NonNullable<NonNullable<ApiResponseNoStatusOptions['content']>[string]['schema']>;

const schema: ApiSchema = {
  type: 'object',
  required: ['error', 'message', 'requestId'],
  properties: {
    error: { type: 'string', description: 'Código estável do erro.' },
    message: { type: 'string', description: 'Descrição para pessoas.' },
    details: { description: 'O que se sabe a mais; depende do erro.' },
    requestId: { type: 'string', description: 'Identifica a requisição (X-Request-Id).' },
  },
};

/** What an operation that takes a body answers before it is judged (docs/decisions.md, Errors). */
export const BODY_ERRORS = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const;

/**
 * Documents the errors an operation answers: grouped by status, an example for each code. Every one answers
 * `unknown_member` if it is asked to.
 */
export const ApiErrors = (...own: readonly ErrorCode[]) => {
  const codes: readonly ErrorCode[] = [...own, 'unknown_member'];
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))];
  return applyDecorators(
    ...statuses.map((status) => {
      const ofStatus = codes.filter((code) => ERROR_CATALOGUE[code].status === status);
      const examples = Object.fromEntries(
        ofStatus.map((code) => [
          code,
          { value: { error: code, message: ERROR_CATALOGUE[code].message, requestId: 'b7f0…' }, summary: code },
        ]),
      );
      return ApiResponse({
        status,
        description: ofStatus.join(', '),
        content: { 'application/json': { schema, examples } },
      });
    }),
  );
};
