import { PassThrough, Readable } from 'node:stream';
import { Controller, Get, Injectable, type OnModuleDestroy, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { API, blockOf, Public } from '#http';
import { type Cancel, Clock, DomainError, plus } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AgentTrafficReader } from './agent-traffic.reader.js';

/** Places of this process in total, and of one network. */
const [MAX_CONNECTIONS, MAX_PER_NETWORK] = [100, 8];
/** How often (ms) the figures are read; and, if they do not change, how often something is sent anyway, so that no proxy cuts the line. */
const [POLL_INTERVAL, KEEP_ALIVE] = [1_000, 15_000];
/** How long (ms) a connection lasts. Browsers reconnect by themselves, maybe to another process. */
const MAX_AGE = 3_600_000;
/** How many bytes a reader may be behind before its connection is cut. */
const MAX_BACKLOG = 65_536;

/** The current traffic for everyone connected: read once a second for all of them, and never if nobody is connected. */
@Injectable()
export class LiveTraffic implements OnModuleDestroy {
  /** Open connections, the longest first, each with the network it counts under. */
  private readonly connections = new Map<PassThrough, string | null>();
  private timer: Cancel | null = null;
  private lastEvent = '';
  private sentAt = 0;
  private isPolling = false;

  constructor(
    private readonly traffic: AgentTrafficReader,
    private readonly clock: Clock,
  ) {}

  /** Streams `traffic` events. If full, the largest network loses its longest one. @throws DomainError `rate_limited` */
  connect(address: string | null): PassThrough {
    const network = address && blockOf(address);
    const ofNetwork = this.longestOf(network).length;
    if (network !== null && ofNetwork >= MAX_PER_NETWORK)
      throw new DomainError('rate_limited', { limit: 'live-connections' }, { retryAfter: 30 });
    if (this.connections.size >= MAX_CONNECTIONS) this.endLongest();
    const stream = new PassThrough();
    const cancelEnd = this.clock.after(MAX_AGE, () => stream.end());
    stream.once('close', () => {
      cancelEnd();
      this.connections.delete(stream);
      if (this.connections.size === 0) this.stopPolling();
    });
    this.connections.set(stream, network);
    stream.write(`retry: 3000\n\n${this.lastEvent}`);
    this.timer ??= this.clock.every(POLL_INTERVAL, () => void this.poll());
    return stream;
  }

  /** Ends every connection, for which the stopping process would otherwise wait. */
  onModuleDestroy(): void {
    this.stopPolling();
    for (const stream of this.connections.keys()) stream.end();
  }

  private longestOf(network: string | null): readonly PassThrough[] {
    return [...this.connections].filter(([, one]) => one === network).map(([stream]) => stream);
  }

  private endLongest(): void {
    const [most] = [...new Set(this.connections.values())]
      .map((network) => this.longestOf(network))
      .sort((one, other) => other.length - one.length);
    const longest = most?.[0];
    if (!longest) return;
    this.connections.delete(longest);
    longest.end();
  }

  private stopPolling(): void {
    this.timer?.();
    this.timer = null;
    this.lastEvent = '';
  }

  /** One at a time: while a wide report holds the place of such queries, those that wait for it would fill the others. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const event = await this.currentEvent();
    this.isPolling = false;
    const now = this.clock.monotonic();
    const isNew = event !== null && event !== this.lastEvent;
    if (!isNew && now - this.sentAt <= KEEP_ALIVE) return;
    this.sentAt = now;
    if (isNew) this.lastEvent = event;
    for (const stream of this.connections.keys()) {
      if (stream.writableLength > MAX_BACKLOG) stream.destroy();
      else stream.write(event ?? ':\n\n');
    }
  }

  /** The event for the current figures; null if the read model does not answer, which is reported elsewhere. */
  private async currentEvent(): Promise<string | null> {
    const window = { from: plus(this.clock.now(), -60_000), bucket: 'minute' } as const;
    try {
      const { now } = await this.traffic.read({ window, filter: {}, caller: null });
      return `event: traffic\ndata: ${JSON.stringify({ series: now.series })}\n\n`;
    } catch {
      return null;
    }
  }
}

@ApiTags('observability')
@Public()
@Controller(`${API}/observability/agent-traffic/stream`)
export class LiveTrafficController {
  constructor(private readonly live: LiveTraffic) {}

  @Get()
  @ApiOperation({ operationId: 'streamAgentTraffic', summary: 'Acompanha o tráfego ao vivo' })
  @ApiOkResponse({ content: { 'text/event-stream': { schema: { type: 'string' } } } })
  async get(@Req() { method, address }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // A HEAD request reads no events, and would hold a connection that is never closed.
    const stream = method === 'HEAD' ? Readable.from([]) : this.live.connect(address);
    await reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // Proxies that buffer an answer until it is complete would hold this one for ever.
      .header('x-accel-buffering', 'no')
      .send(stream);
  }
}
