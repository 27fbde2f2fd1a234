import { BlockList, isIP, type Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { rateLimitKey } from './rate-limiter.js';

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
