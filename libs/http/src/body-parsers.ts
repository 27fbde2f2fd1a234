import { DomainError } from '#kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from './json-body.js';
import { API } from './base-urls.js';

/** Largest body accepted, in bytes (docs/decisions.md, Errors: 64 KiB). */
export const BODY_LIMIT = 64 * 1024;

const isApi = (request: FastifyRequest): boolean => request.url.startsWith(`/${API}`);

/**
 * JSON everywhere; forms (as `URLSearchParams`, so that a repeated field shows) outside the API. Everything else with a
 * body is 415.
 */
export const useBodyParsers = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else if (isApi(request)) done(new DomainError('unsupported_media_type'));
      else done(null, new URLSearchParams(body));
    },
  );
  fastify.addContentTypeParser<string>('*', { parseAs: 'string' }, (_, body, done) => {
    if (body === '') done(null, undefined);
    else done(new DomainError('unsupported_media_type'));
  });
};
