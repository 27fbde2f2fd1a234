import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';

type Accepting = Pick<FastifyRequest, 'raw'>;

/** The one of some media types that a request prefers (RFC 9110 §12.5.1). Only types that it names count; no wildcard does. */
export const preferredType = ({ raw }: Accepting, types: readonly string[]): string | undefined =>
  (accepts(raw).types() as string[]).map((type) => type.toLowerCase()).find((type) => types.includes(type));

/** Whether a request asks for a page rather than JSON. Only one that names `text/html` does: a browser. */
export const prefersHtml = (request: Accepting): boolean =>
  preferredType(request, ['text/html', 'application/json']) === 'text/html';
