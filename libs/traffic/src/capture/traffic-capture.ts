import type { Clock } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { familyNamed } from '../figures/families.rule.js';
import { OTHER } from '../figures/operations.rule.js';
import type { ClientFamilies } from './client-families.js';
import { routeTraffic } from './route-traffic.js';
import { statusOf } from './status-of.js';
import type { Call, TrafficCounters } from './traffic-counters.js';

/** How many `User-Agent`s are remembered with their families. */
const REMEMBERED = 1_000;

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
    const route = routeTraffic(request.method, request.routeOptions.url, request.url);
    if (!route) return;
    const { caller, headers } = request;
    const named = this.familyOf(headers['signature-agent']) ?? this.familyOf(headers['user-agent']) ?? OTHER;
    const registered = caller ? this.clients.remembered(caller.clientId) : null;
    const call: Call = {
      at: this.clock.now(),
      channel: route.channel,
      operation: request.tool ?? route.operation,
      family: registered ?? named,
      status: statusOf(request, reply),
      error: request.refusal,
      milliseconds: reply.elapsedTime,
      agent: caller?.clientId ?? request.address ?? 'loopback',
      hasToken: caller !== null,
    };
    if (registered === undefined) this.countLater(call);
    else this.counters.count(call);
  };

  /** Resolves when everything answered until now is counted. */
  async counted(): Promise<void> {
    await Promise.all(this.asking);
  }

  /** Counts the first call of a client once the name it is registered under is known. */
  private countLater(call: Call): void {
    const asking = this.clients.ask(call.agent).then((registered) => {
      this.asking.delete(asking);
      this.counters.count({ ...call, family: registered ?? call.family });
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
