import { isKnown } from '#http';
import type { FastifyReply } from 'fastify';
import type { Asset } from './assets.js';

/** Sends a file of a page with its `ETag`; nothing but that to whoever knows it already (RFC 9110 §13.1.2). */
export const sendAsset = (reply: FastifyReply, { type, body, etag }: Asset, known: string | undefined): void => {
  void reply.header('etag', etag).header('cache-control', 'public, max-age=3600');
  if (isKnown(etag, known)) void reply.code(304).send();
  else void reply.type(type).send(body);
};
