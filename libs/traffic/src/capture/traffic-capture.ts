import { API } from '#http';
import type { Clock } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { familyNamed } from '../figures/families.rule.js';
import { type Channel, MCP_MESSAGE, operationOf, OTHER } from '../figures/operations.rule.js';
import type { AgentKey } from './agent-hashes.js';
import type { ClientFamilies } from './client-families.js';
import { statusOf } from './status-of.js';
import type { Call, TrafficCounters } from './traffic-counters.js';

const BELOW = `/${API}`;
/** What is asked by those who watch, and so is no traffic. */
const WATCHING = ['/health', '/observability'].map((path) => `${BELOW}${path}`);
/** How many `User-Agent`s are remembered with their families. */
const REMEMBERED = 1_000;

/** The tools that traffic knows by name; anything else is no name of ours. */
const CHANNEL_BY_ROUTE: ReadonlyMap<string, Channel> = new Map([
  [`${BELOW}/webmcp/call`, 'webmcp'],
  ['/mcp', 'mcp'],
]);

/** Counts every call of the API, of a tool and of MCP once it is answered. */
export class TrafficCapture {
  private readonly families = new Map<string, string | null>();
  private readonly asking = new Set<Promise<void>>();

  constructor(
    private readonly counters: TrafficCounters,
    private readonly clock: Clock,
    private readonly clients: ClientFamilies,
  ) {}

  /** To be called once a request is answered. It costs microseconds and never throws. */
  readonly answered = (request: FastifyRequest, reply: FastifyReply): void => {
    const route = request.routeOptions.url;
    const path = route ?? request.url;
    if (!isTraffic(path, request.method)) return;
    const channel = CHANNEL_BY_ROUTE.get(path) ?? 'rest';
    const { caller, headers } = request;
    const call = {
      at: this.clock.now(),
      channel,
      operation: request.tool ?? (channel === 'mcp' ? MCP_MESSAGE : operationBelow(request.method, route)),
      status: statusOf(request, reply),
      error: request.refusal,
      milliseconds: reply.elapsedTime,
    };
    const named = this.familyOf(headers['signature-agent']) ?? this.familyOf(headers['user-agent']) ?? OTHER;
    if (!caller) {
      this.count(call, named, `address ${request.address ?? 'loopback'} ${named}`);
      return;
    }
    const agent: AgentKey = `client ${caller.clientId}`;
    const registered = this.clients.remembered(caller.clientId);
    if (registered !== undefined) this.count(call, registered ?? named, agent);
    else this.countLater(call, named, agent, caller.clientId);
  };

  /** Resolves when everything answered until now is counted. */
  async counted(): Promise<void> {
    await Promise.all(this.asking);
  }

  private count(call: Omit<Call, 'family' | 'agent'>, family: string, agent: AgentKey): void {
    this.counters.count({ ...call, family, agent });
  }

  /** Counts the first call of a client once the name it is registered under is known. */
  private countLater(call: Omit<Call, 'family' | 'agent'>, named: string, agent: AgentKey, clientId: string): void {
    const asking = this.clients.ask(clientId).then((registered) => {
      this.asking.delete(asking);
      this.count(call, registered ?? named, agent);
    });
    this.asking.add(asking);
  }

  /** The family that a header names; null: none. */
  private familyOf(header: string | string[] | undefined): string | null {
    if (typeof header !== 'string') return null;
    const known = this.families.get(header);
    if (known !== undefined) return known;
    const family = familyNamed(header);
    // Who invents names only makes us forget sooner.
    if (this.families.size >= REMEMBERED) this.families.clear();
    this.families.set(header, family);
    return family;
  }
}

const isTraffic = (path: string, method: string): boolean =>
  method !== 'OPTIONS' &&
  (path === '/mcp' || (path.startsWith(`${BELOW}/`) && !WATCHING.some((watching) => path.startsWith(watching))));

const operationBelow = (method: string, route: string | undefined): string =>
  route === undefined ? OTHER : operationOf(method, route.slice(BELOW.length));
