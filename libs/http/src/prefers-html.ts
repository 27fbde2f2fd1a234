import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';

/** Whether a request asks for a page rather than JSON. Only one that names `text/html` does: a browser. */
export const prefersHtml = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => {
  const named = accepts(raw).types() as string[];
  return named.find((type) => /^(?:text\/html|application\/json)$/i.test(type))?.toLowerCase() === 'text/html';
};
