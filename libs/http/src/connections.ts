import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, DomainError, type Ids, nextTurn, STOP_BUDGET } from '#kernel';
import type { BaseUrls } from './base-urls.js';
import { answerOf } from './error-answer.js';
import { UNMATCHED } from './request.js';

/** How long (ms) requests under way may take once the server stops; then their connections are cut. */
const DRAIN = STOP_BUDGET.requests - 1_000;

/** Lets the server stop once what is under way is answered, whatever is kept alive. Returns whether the end has begun. */
export const endConnections = (fastify: FastifyInstance, clock: Clock): (() => boolean) => {
  let isClosing = false;
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    const cancel = clock.after(DRAIN, () => fastify.server.closeAllConnections());
    fastify.server.once('close', cancel);
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
  return () => isClosing;
};

/** How long (ms) a refused caller has to read why and to close its side; then that is closed for it. */
const LINGER = 1_000;

/** Whether the head of an answer was sent on a connection, and not all of it. */
const isAnswering = (socket: Duplex): boolean => {
  const { _httpMessage: answer } = socket as { readonly _httpMessage?: ServerResponse | null };
  return answer?.headersSent === true && !answer.writableFinished;
};

/** Refuses on the socket what is no whole HTTP request. The error is not logged, since it carries the bytes that were sent. */
export const answerUnreadable = (
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  log: Pick<FastifyBaseLogger, 'info'>,
  { ids, clock, urls }: { readonly ids: Ids; readonly clock: Clock; readonly urls: BaseUrls },
): void => {
  if (code === 'ECONNRESET' || !socket.writable) return;
  // Amid an answer these bytes would count as part of it: as Node's own handler does, the connection is cut.
  if (isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const reqId = ids.next();
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const { status, body } = answerOf(new DomainError(isLate ? 'request_timeout' : 'malformed_json'), {
    id: reqId,
    urls,
  });
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${reqId}`,
      '',
      text,
    ].join('\r\n'),
  );
  socket.once(
    'close',
    clock.after(LINGER, () => socket.destroy()),
  );
  log.info({ reqId, operation: UNMATCHED, status, reason: code }, 'request');
};

/** How many requests a connection may send ahead of the answer that it waits for. Each takes some 3 KB until its turn. */
export const MOST_AHEAD = 16;

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Runs a connection's requests one by one, each once the last answer is flushed. Too many ahead are cut off (RFC 9112 §9.3.2). */
export const inTurn = (
  answer: RequestListener,
  cutOff = (socket: Socket): void => void socket.destroy(),
): RequestListener => {
  /** By connection that is being answered, what waits behind that. */
  const lines = new WeakMap<Socket, Arrived[]>();
  const begin = ({ request, response }: Arrived): void => {
    const { socket } = request;
    // It comes once by itself.
    response.on('close', () => {
      const next = lines.get(socket)?.shift();
      if (!next) lines.delete(socket);
      else void nextTurn().then(() => begin(next));
    });
    if (socket.destroyed) lines.delete(socket);
    else answer(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, []);
      begin({ request, response });
    } else if (line.length < MOST_AHEAD) line.push({ request, response });
    else cutOff(socket);
  };
};

/** A head as it arrives. After a connection is cut off Node would parse the rest of 64 KB; an upgrade ends that at once. */
export class ArrivingMessage extends IncomingMessage {
  constructor(socket: Socket) {
    super(socket);
    if (socket.destroyed) Object.defineProperty(this, 'upgrade', { get: () => true, set: () => undefined });
  }
}
