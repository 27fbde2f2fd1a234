import type { FastifyReply } from 'fastify';
import { pageHeaders, type PagePolicy } from './page-headers.js';

/** A page ready to be sent. */
export interface Page extends PagePolicy {
  readonly status: number;
  readonly html: string;
}

/** Sends a page under its security headers. */
export const sendPage = (reply: FastifyReply, { status, html, ...policy }: Page): void => {
  void reply.code(status).headers(pageHeaders(policy)).send(html);
};
