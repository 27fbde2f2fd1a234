import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { type Clock, upTo } from '#kernel';
import { MOST_AHEAD } from './connections.js';
import { type RateLimiter, rateLimitKey } from './rate-limiter.js';
import { UNMATCHED } from './request.js';

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

/** How long (ms) an address gets no new connection once one of its own sent too much ahead. */
const SHUT = 10_000;
const MOST_SHUT = 20_000;

interface Open {
  /** What it counts under; null: under no address. */
  readonly key: string | null;
  /** The requests that are whole and not answered yet. */
  underWay: number;
  /** Sends the refusal that is kept from it. */
  letGo: (() => void) | null;
}

interface Edge {
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
  readonly rates?: RateLimiter | undefined;
  /** The proxies that may say who calls. */
  readonly trustProxy: string | null;
}

/** Bounds open connections, also per address. A newcomer takes the place that has waited longest without a whole request. */
export class OpenConnections {
  private readonly open = new Map<Socket, Open>();
  private readonly ofAddress = new Map<string, Set<Socket>>();
  /** The connections without a whole request, those that have waited longest first. */
  private readonly waiting = new Set<Socket>();
  /** By address that is shut out, until when. */
  private readonly shut = new LRUCache<string, number>(upTo(MOST_SHUT));
  private isEnding = false;
  private readonly isProxy: (address: string) => boolean;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly edge: Edge,
  ) {
    this.isProxy = proxies(edge.trustProxy);
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.enter(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.count(request, response));
  }

  /** Ends a connection that sent too much ahead, and what its address has open and idle, which gets no new one for a while. */
  cutOff(socket: Socket): void {
    const { clock, log, rates } = this.edge;
    const key = this.open.get(socket)?.key ?? null;
    socket.destroy();
    log.info({ operation: UNMATCHED, reason: 'too_many_ahead' }, 'connection cut off');
    if (key === null) return;
    rates?.count('publicReads', key, MOST_AHEAD + 1);
    this.shut.set(key, clock.monotonic() + SHUT);
    for (const other of this.ofAddress.get(key) ?? []) if (this.waiting.has(other)) other.destroy();
  }

  /** Calls `send` after so many ms and reads nothing of the connection until then. A proxy's has others' requests: at once. */
  hold(response: ServerResponse, milliseconds: number, send: () => void): void {
    const { socket } = response;
    const open = socket && this.open.get(socket);
    if (!open || open.key === null || this.isEnding) {
      send();
      return;
    }
    socket.pause();
    const end = (): void => {
      cancel();
      open.letGo = null;
      this.sort(socket, open);
    };
    const cancel = this.edge.clock.after(milliseconds, () => open.letGo?.());
    open.letGo = () => {
      response.off('close', end);
      end();
      socket.resume();
      send();
    };
    response.once('close', end); // its caller has left, or made room
    this.sort(socket, open);
  }

  /** Sends what is held, and holds nothing from now on. */
  end(): void {
    this.isEnding = true;
    for (const { letGo } of this.open.values()) letGo?.();
  }

  private enter(socket: Socket): void {
    const { total, byAddress } = this.limits;
    const key = this.keyOf(socket);
    const others = (key !== null && this.ofAddress.get(key)) || new Set<Socket>();
    const isFull = total > 0 && this.open.size >= total;
    const [longest] = this.waiting;
    const isShut = key !== null && (this.shut.get(key) ?? -Infinity) > this.edge.clock.monotonic();
    if (isShut || (byAddress > 0 && others.size >= byAddress) || (isFull && !longest)) {
      socket.destroy();
      return;
    }
    if (isFull && longest) {
      this.forget(longest);
      longest.destroy();
    }
    this.open.set(socket, { key, underWay: 0, letGo: null });
    this.waiting.add(socket);
    if (key !== null) this.ofAddress.set(key, others.add(socket));
    socket.once('close', () => {
      this.forget(socket);
      if (others.delete(socket) && others.size === 0 && key !== null) this.ofAddress.delete(key);
    });
  }

  private count(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request;
    if (socket.destroyed) return;
    let isWhole = false;
    const arrived = (): void => {
      isWhole = true;
      this.change(socket, 1);
    };
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody) request.once('end', arrived);
    else arrived();
    // It comes once by itself, so the listener need not take itself away again, which every request would pay for.
    response.on('close', () => {
      if (isWhole) this.change(socket, -1);
      else request.off('end', arrived);
    });
  }

  private change(socket: Socket, by: 1 | -1): void {
    const open = this.open.get(socket);
    if (!open) return; // it is closed
    open.underWay += by;
    this.sort(socket, open);
  }

  /** A connection waits without a whole request, and also while a refusal is kept from it: nobody holds a place by being refused. */
  private sort(socket: Socket, { underWay, letGo }: Open): void {
    this.waiting.delete(socket);
    if (this.open.has(socket) && (underWay === 0 || letGo)) this.waiting.add(socket);
  }

  private keyOf(socket: Socket): string | null {
    const { remoteAddress: ip = '' } = socket;
    return this.isProxy(ip) ? null : rateLimitKey({ ip, socket }, this.edge.trustProxy !== null);
  }

  private forget(socket: Socket): void {
    this.open.delete(socket);
    this.waiting.delete(socket);
  }
}
