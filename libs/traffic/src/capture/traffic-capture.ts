import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { API, blockOf, ERROR_CATALOGUE } from '#http';
import { type Caller, type Clock, isStrangerId, upTo } from '#kernel';
import { CLIENT_CLOSED_REQUEST } from '../figures/endings.rule.js';
import { type Channel, familyNamed, familyOfHost, MCP_MESSAGE, operationOf, OTHER } from '../figures/names.rule.js';
import type { Call, TrafficCounters } from './traffic-counters.js';

/** How many header values and clients are remembered with their families. */
const [MAX_HEADERS, MAX_CLIENTS] = [1_000, 5_000];
/** How long (ms) a client is remembered: it may be registered again under another name. */
const CLIENT_TTL = 600_000;

type Family = string | null;

/** Counts every call of the API, of a tool, of MCP and of UCP once it is answered. */
export class TrafficCapture {
  private readonly byHeader = new Map<string, Family>();
  private readonly byClient = new LRUCache<string, { readonly family: Family }>({
    ...upTo(MAX_CLIENTS),
    ttl: CLIENT_TTL,
  });
  private readonly lookups = new Set<Promise<void>>();

  constructor(
    private readonly counters: TrafficCounters,
    private readonly clock: Clock,
    private readonly clients: {
      readonly nameOf: (clientId: string) => Promise<string | null>;
      readonly knownCallerOf: (request: FastifyRequest) => Caller | null;
    },
  ) {}

  /** Called once a request is answered. It costs microseconds and never throws. */
  readonly answered = (request: FastifyRequest, reply: FastifyReply): void => {
    const route = routeTraffic(request.method, request.routeOptions.url, request.url);
    if (!route) return;
    const { signature } = request;
    // Anybody may register as many clients as they like, under any name: those make no agent certain, and no family.
    const sender = request.caller ?? this.knownSender(request);
    const caller = sender && !isStrangerId(sender.clientId) ? sender : null;
    const host = signature?.outcome === 'verified' ? signature.host : null;
    const registered = caller ? this.byClient.get(caller.clientId) : { family: null };
    const call: Call = {
      at: this.clock.now(),
      channel: route.channel,
      operation: request.tool ?? route.operation,
      family: registered?.family ?? (host === null ? this.declaredBy(request) : familyOfHost(host)),
      status: statusOf(request, reply),
      error: request.errorCode,
      milliseconds: request.streamedAfter ?? reply.elapsedTime,
      agent: caller?.clientId ?? (host === null ? addressOf(request) : `https://${host}`),
      isCertain: caller !== null || host !== null,
      ...(signature && { signature: signature.outcome }),
    };
    if (registered) this.counters.count(call);
    else this.countLater(call);
  };

  /** Who sent what no guard has looked at: a public read counts for its client where its token is known already. */
  private knownSender(request: FastifyRequest): Caller | null {
    return request.headers.authorization === undefined ? null : this.clients.knownCallerOf(request);
  }

  /** Resolves when everything answered so far is counted. */
  async counted(): Promise<void> {
    await Promise.all(this.lookups);
  }

  /** Counts the first call of a client once its registered name is known. */
  private countLater(call: Call): void {
    const lookup = this.clientFamily(call.agent).then((registered) => {
      this.lookups.delete(lookup);
      this.counters.count({ ...call, family: registered ?? call.family });
    });
    this.lookups.add(lookup);
  }

  /** The family of a client by its registered name; null as well if the name cannot be read now. */
  private async clientFamily(clientId: string): Promise<Family> {
    try {
      const name = await this.clients.nameOf(clientId);
      const family = name === null ? null : familyNamed(name);
      this.byClient.set(clientId, { family });
      return family;
    } catch {
      return null;
    }
  }

  /** The family that a request gives as its own. Whom a wrong signature names has not sent it. */
  private declaredBy({ headers, signature }: FastifyRequest): string {
    const agent = signature?.outcome === 'wrong' ? null : this.headerFamily(headers['signature-agent']);
    return agent ?? this.headerFamily(headers['user-agent']) ?? OTHER;
  }

  private headerFamily(header: string | string[] | undefined): Family {
    if (typeof header !== 'string') return null;
    const known = this.byHeader.get(header);
    if (known !== undefined) return known;
    const family = familyNamed(header);
    // Invented names only empty the cache sooner.
    if (this.byHeader.size >= MAX_HEADERS) this.byHeader.clear();
    this.byHeader.set(header, family);
    return family;
  }
}

const addressOf = ({ address }: FastifyRequest): string => (address === null ? 'loopback' : blockOf(address));

/** The status of an answer; if a tool's result is a refusal, the status with which the API answers it. */
const statusOf = (request: FastifyRequest, { raw, statusCode }: FastifyReply): number => {
  const { errorCode, streamedAfter } = request;
  // A request from within this process has no connection that could break off.
  const isReceived = request.raw.socket instanceof Socket ? raw.writableFinished : raw.writableEnded;
  // The status of an answer that nobody received may not even have been decided.
  if (!isReceived && streamedAfter === null) return CLIENT_CLOSED_REQUEST;
  return errorCode !== null && statusCode < 400 ? ERROR_CATALOGUE[errorCode].status : statusCode;
};

const [API_PATH, MCP_PATH] = [`/${API}`, '/mcp'];
const [UCP_PATH, UCP_MCP_PATH] = ['/ucp/v1', '/ucp/mcp'];
/** Requests of those who monitor the service are not traffic. */
const MONITORING = [`${API_PATH}/health`, `${API_PATH}/observability`];

/** How calls of a route count, unless they call a tool. */
export interface RouteTraffic {
  readonly channel: Channel;
  readonly operation: string;
}

/** By route pattern and method: looked up on every request, so computed once. */
const known = new Map<string, Map<string, RouteTraffic | null>>();

/** How calls of a route count; null if they are not traffic. Without a route (undefined), the requested path decides. */
export const routeTraffic = (method: string, pattern: string | undefined, url: string): RouteTraffic | null => {
  if (pattern === undefined) {
    const [path = ''] = url.split('?', 1);
    return isTraffic(path, method) ? { channel: channelOf(path), operation: OTHER } : null;
  }
  const ofRoute = known.get(pattern) ?? new Map<string, RouteTraffic | null>();
  const found = ofRoute.get(method);
  if (found !== undefined) return found;
  const traffic = isTraffic(pattern, method) ? trafficOf(method, pattern) : null;
  known.set(pattern, ofRoute.set(method, traffic));
  return traffic;
};

const trafficOf = (method: string, pattern: string): RouteTraffic => {
  const channel = channelOf(pattern);
  if (channel === 'mcp' || channel === 'ucp_mcp')
    return { channel, operation: method === 'POST' ? MCP_MESSAGE : OTHER };
  const isUcp = channel === 'ucp';
  return { channel, operation: operationOf(method, pattern.slice((isUcp ? UCP_PATH : API_PATH).length), isUcp) };
};

const channelOf = (path: string): Channel => {
  if (path === MCP_PATH) return 'mcp';
  if (path === UCP_MCP_PATH) return 'ucp_mcp';
  if (isWithin(path, UCP_PATH)) return 'ucp';
  return path === `${API_PATH}/webmcp/call` ? 'webmcp' : 'rest';
};

const isTraffic = (path: string, method: string): boolean =>
  method !== 'OPTIONS' &&
  ([MCP_PATH, UCP_MCP_PATH].includes(path) ||
    isWithin(path, UCP_PATH) ||
    (isWithin(path, API_PATH) && !MONITORING.some((folder) => isWithin(path, folder))));

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
