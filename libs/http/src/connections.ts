import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, DomainError, type Ids, nextTurn, STOP_BUDGET } from '#kernel';
import type { BaseUrls } from './base-urls.js';
import { answerOf } from './error-answer.js';
import { UNMATCHED } from './request.js';
import { BlockList, isIP, type Socket } from 'node:net';
import { rateLimitKey } from './rate-limiter.js';

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
const MOST_AHEAD = 64;

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Runs a connection's requests one by one, each once the last answer is flushed. Too many ahead cut it off (RFC 9112 §9.3.2). */
export const inTurn = (answer: RequestListener): RequestListener => {
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
    const line = lines.get(request.socket);
    if (!line) {
      lines.set(request.socket, []);
      begin({ request, response });
    } else if (line.length < MOST_AHEAD) line.push({ request, response });
    else request.socket.destroy();
  };
};

/** How long (ms) a caller may take, and how many connections are open at once; 0 = unbounded. */
export interface ConnectionLimits {
  /** For the head of a request, from the connection's first moment on. */
  readonly headersTimeout: number;
  /** For the whole of a request. What is slower is answered 408. */
  readonly requestTimeout: number;
  /** For the next request of a connection. */
  readonly idleTimeout: number;
  readonly total: number;
  /** Of one address. A trusted proxy is no caller, and counts in `total` alone. */
  readonly byAddress: number;
}

/** The times of a server, in Node's names. It looks for late callers often enough for the shortest time-out. */
export const timeoutsOf = ({ headersTimeout, requestTimeout, idleTimeout }: ConnectionLimits) => ({
  headersTimeout,
  requestTimeout,
  keepAliveTimeout: idleTimeout,
  connectionsCheckingInterval: Math.min(1_000, headersTimeout / 2, requestTimeout / 2),
});

/** How long (ms) nothing may move on a connection: twice the time of a request, which no answer of ours takes. */
export const silenceOf = ({ requestTimeout }: ConnectionLimits): number => 2 * requestTimeout;

/** The names of networks that a list of trusted proxies may have (Fastify, Server, trustProxy). */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const proxies = (list: string | null): ((address: string) => boolean) => {
  const known = new BlockList();
  for (const name of (list ?? '').split(',').map((one) => one.trim())) {
    for (const network of NAMED[name] ?? [name]) {
      const [address = '', bits] = network.split('/');
      if (!isIP(address)) continue;
      const most = isIP(address) === 6 ? 128 : 32;
      known.addSubnet(address, bits === undefined ? most : Number(bits), familyOf(address));
    }
  }
  return (address) => isIP(address) !== 0 && known.check(address, familyOf(address));
};

/** Bounds open connections, also per address. A newcomer takes the place that has waited longest without a whole request. */
export const limitConnections = (server: Server, limits: ConnectionLimits, trustProxy: string | null): void => {
  const { total, byAddress } = limits;
  const isProxy = proxies(trustProxy);
  const ofAddress = new Map<string, number>();
  /** By connection, the requests that are whole and not answered yet. */
  const underWay = new Map<Socket, number>();
  /** The connections without such a request, those that have waited longest first. */
  const waiting = new Set<Socket>();

  const keyOf = (socket: Socket): string | null => {
    const { remoteAddress: ip = '' } = socket;
    return isProxy(ip) ? null : rateLimitKey({ ip, socket }, trustProxy !== null);
  };
  const change = (socket: Socket, by: 1 | -1): void => {
    const requests = underWay.get(socket);
    if (requests === undefined) return; // it is closed
    underWay.set(socket, requests + by);
    waiting.delete(socket);
    if (requests + by === 0) waiting.add(socket);
  };

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    const others = key === null ? 0 : (ofAddress.get(key) ?? 0);
    const isFull = total > 0 && underWay.size >= total;
    const [longest] = waiting;
    if ((byAddress > 0 && others >= byAddress) || (isFull && !longest)) {
      socket.destroy();
      return;
    }
    if (isFull && longest) {
      forget(longest);
      longest.destroy();
    }
    underWay.set(socket, 0);
    waiting.add(socket);
    if (key !== null) ofAddress.set(key, others + 1);
    socket.once('close', () => {
      forget(socket);
      if (key === null) return;
      const left = (ofAddress.get(key) ?? 1) - 1;
      if (left === 0) ofAddress.delete(key);
      else ofAddress.set(key, left);
    });
  });
  const forget = (socket: Socket): void => {
    underWay.delete(socket);
    waiting.delete(socket);
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    let isWhole = false;
    const arrived = (): void => {
      isWhole = true;
      change(socket, 1);
    };
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody) request.once('end', arrived);
    else arrived();
    // It comes once by itself, so the listener need not take itself away again, which every request would pay for.
    response.on('close', () => {
      if (isWhole) change(socket, -1);
      else request.off('end', arrived);
    });
  });
};
