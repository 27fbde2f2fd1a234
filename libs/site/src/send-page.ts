import { createHash } from 'node:crypto';
import { isKnown } from '#http';
import type { FastifyReply } from 'fastify';
import { pageHeaders, type PagePolicy } from './page-headers.js';

/** A page ready to be sent. */
export interface Page extends PagePolicy {
  readonly status: number;
  readonly html: string;
}

/** Sends a page under its security headers; a public one not again to whoever has it (RFC 9110 §13.1.2). */
export const sendPage = (reply: FastifyReply, { status, html, ...policy }: Page): void => {
  void reply.code(status).headers(pageHeaders(policy));
  if (policy.isPublic && status === 200) {
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    void reply.header('etag', etag);
    if (isKnown(etag, reply.request.headers['if-none-match'])) {
      void reply.code(304).send();
      return;
    }
  }
  void reply.send(html);
};
