import { PassThrough } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, DomainError, plus } from '#kernel';
import { GetAgentTraffic } from '../query/get-agent-traffic.query.js';

/** Connections of this process in all, and of one address. */
const [CONNECTIONS, OF_ONE_ADDRESS] = [100, 8];
/** How often (ms) is looked for news; and, without any, how often proxies are told that the line is alive. */
const [LOOK, ALIVE] = [1_000, 15_000];
/** How long (ms) a connection lasts: browsers come back by themselves, and maybe to another process. */
const LASTS = 3_600_000;
/** Bytes that a reader may be behind before its connection is cut. */
const BEHIND = 65_536;

/** The traffic of now, for those who watch: one look a second for all of them, and none where nobody watches. */
@Injectable()
export class LiveTraffic implements OnModuleDestroy {
  /** Those who watch, each with the address it counts under. */
  private readonly watching = new Map<PassThrough, string | null>();
  private timer: NodeJS.Timeout | null = null;
  private told = '';
  private toldAt = 0;

  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /**
   * A stream of server-sent events (HTML Standard §9.2): `traffic`, with the points of this minute and the one before,
   * whenever they have changed. `address`: what the connection counts under; null: under nothing.
   *
   * @throws DomainError `rate_limited` where there are too many
   */
  watch(address: string | null): PassThrough {
    const ofAddress = [...this.watching.values()].filter((one) => one === address).length;
    const isFull = this.watching.size >= CONNECTIONS || (address !== null && ofAddress >= OF_ONE_ADDRESS);
    if (isFull) throw new DomainError('rate_limited', undefined, { retryAfter: 30 });
    const stream = new PassThrough();
    const ending = setTimeout(() => stream.end(), LASTS).unref();
    stream.once('close', () => {
      clearTimeout(ending);
      this.watching.delete(stream);
      if (this.watching.size === 0) this.rest();
    });
    this.watching.set(stream, address);
    stream.write(`retry: 3000\n\n${this.told}`);
    this.timer ??= setInterval(() => void this.look(), LOOK).unref();
    return stream;
  }

  /** Ends every connection: the process stops, and would wait for them. */
  onModuleDestroy(): void {
    this.rest();
    for (const stream of this.watching.keys()) stream.end();
  }

  private rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.told = '';
  }

  private async look(): Promise<void> {
    const news = await this.news();
    const now = performance.now();
    if (news !== null && news !== this.told) [this.told, this.toldAt] = [news, now];
    else if (now - this.toldAt > ALIVE) this.toldAt = now;
    else return;
    for (const stream of this.watching.keys()) {
      if (stream.writableLength > BEHIND) stream.destroy();
      else stream.write(news === this.told ? news : ':\n\n');
    }
  }

  /** The event to be told; null where the read model does not answer, of which its readers are told elsewhere. */
  private async news(): Promise<string | null> {
    const window = { from: plus(this.clock.now(), -60_000), bucket: 'minute' } as const;
    try {
      const { now } = await this.queries.execute(new GetAgentTraffic(window));
      return `event: traffic\ndata: ${JSON.stringify({ series: now.series })}\n\n`;
    } catch {
      return null;
    }
  }
}
