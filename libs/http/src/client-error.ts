import type { Duplex } from 'node:stream';
import { DomainError } from '#kernel';
import type { FastifyBaseLogger } from 'fastify';
import { answerOf } from './error-answer.js';
import { UNMATCHED } from './request-log.js';

/**
 * Answers what is no HTTP request, so that there is none to answer: in the form of every error, straight to the socket.
 * The error itself is not logged, since it carries the bytes that were sent.
 */
export const answerUnreadable = (
  { code }: NodeJS.ErrnoException,
  socket: Pick<Duplex, 'writable' | 'end'>,
  log: Pick<FastifyBaseLogger, 'info'>,
): void => {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const reqId = crypto.randomUUID();
  const { status, body } = answerOf(new DomainError('malformed_json'), reqId);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} Bad Request`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${reqId}`,
      '',
      text,
    ].join('\r\n'),
  );
  log.info({ reqId, operation: UNMATCHED, status, reason: code }, 'request');
};
