import { DomainError } from '#kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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

/** Deepest nesting of a body. No body of ours has more than three levels; thousands would overflow who walks it. */
const MAX_DEPTH = 32;

/**
 * A JSON body. An empty one is no body, whatever its content type. Prototype keys are dropped wherever they stand.
 *
 * @throws DomainError `malformed_json`
 */
export const parseJson = (body: string): unknown => {
  if (body === '') return undefined;
  if (depthOf(body) > MAX_DEPTH) throw new DomainError('malformed_json');
  try {
    return JSON.parse(body, (key, value: unknown) =>
      key === '__proto__' || key === 'constructor' ? undefined : value,
    );
  } catch (error) {
    throw new DomainError('malformed_json', undefined, { cause: error });
  }
};

/** How deep the brackets of a JSON text nest, those inside its strings left out. */
const depthOf = (text: string): number => {
  const brackets = text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/[[\]{}]/g) ?? [];
  let [depth, deepest] = [0, 0];
  for (const bracket of brackets) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};
