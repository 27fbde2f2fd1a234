import { PassThrough, Readable } from 'node:stream';
import { type Cancel, type Clock, DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Streams of one kind in this process, and of one party. */
const [MAX_STREAMS, MAX_OF_ONE] = [500, 5];
/** How often (ms) it is looked for what is new, for who may listen no more, and for a line that was silent for too long. */
const [LOOK, CHECK, KEEP_ALIVE] = [250, 1_000, 15_000];
/** How many bytes a reader may be behind before nothing more is read for it, and how long (ms) before its stream is cut. */
const [MAX_BACKLOG, MAX_STANDSTILL] = [65_536, 60_000];

/** Who reads a stream of events. Whatever of it fails ends the stream, and its reader begins another. */
export interface Listener {
  /** The party that it counts among. */
  readonly of: string;
  /** Whether it may still be sent. */
  readonly isInForce: () => Promise<boolean>;
  /** What is new to it, as it is written to the stream; '': nothing. */
  readonly news: () => Promise<string>;
}

class Stream<Reader extends Listener> {
  readonly written = new PassThrough();
  private isBusy = false;
  private checkedAt: number;
  private sentAt: number;
  private movedAt: number;

  constructor(
    readonly reader: Reader,
    private readonly clock: Clock,
  ) {
    this.checkedAt = this.sentAt = this.movedAt = clock.monotonic();
  }

  async serve(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await this.serveOnce();
    } catch {
      this.written.end();
    } finally {
      this.isBusy = false;
    }
  }

  private async serveOnce(): Promise<void> {
    const now = this.clock.monotonic();
    if (this.written.writableLength > MAX_BACKLOG) {
      if (now - this.movedAt > MAX_STANDSTILL) this.written.destroy();
      return;
    }
    this.movedAt = now;
    const news = await this.reader.news();
    if (news !== '' || now - this.checkedAt >= CHECK) {
      this.checkedAt = now;
      if (!(await this.reader.isInForce())) {
        this.written.end();
        return;
      }
    }
    if (news === '' && now - this.sentAt < KEEP_ALIVE) return;
    this.sentAt = now;
    this.written.write(news === '' ? ':\n\n' : news);
  }
}

/** Streams of events to many readers (WHATWG HTML §9.2, Server-sent events), with one look for all of them. */
export class LiveStreams<Reader extends Listener> {
  private readonly open = new Set<Stream<Reader>>();
  private timer: Cancel | null = null;
  private isLooking = false;

  /** `look`: what is read for all readers before each is asked for its news; what fails there is tried again. */
  constructor(
    private readonly clock: Clock,
    private readonly look: (readers: readonly Reader[]) => Promise<void>,
  ) {}

  get isIdle(): boolean {
    return this.open.size === 0;
  }

  /** `first`: what it begins with. @throws DomainError `rate_limited` where the party, or this process, has as many as it may have */
  connect(reader: Reader, first: string): Readable {
    const ofOne = this.readers.filter(({ of }) => of === reader.of).length;
    if (this.open.size >= MAX_STREAMS || ofOne >= MAX_OF_ONE)
      throw new DomainError('rate_limited', { limit: 'live-connections' }, { retryAfter: 30 });
    const stream = new Stream(reader, this.clock);
    this.open.add(stream);
    stream.written.once('close', () => {
      this.open.delete(stream);
      if (this.isIdle) this.stopLooking();
    });
    stream.written.write(first);
    this.timer ??= this.clock.every(LOOK, () => void this.serve());
    return stream.written;
  }

  /** Ends all of them, for which a process that stops would otherwise wait. */
  end(): void {
    this.stopLooking();
    for (const { written } of this.open) written.end();
  }

  private get readers(): readonly Reader[] {
    return [...this.open].map(({ reader }) => reader);
  }

  private stopLooking(): void {
    this.timer?.();
    this.timer = null;
  }

  private async serve(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.look(this.readers);
    } catch {
      // The store does not answer, which is reported elsewhere: the next look asks again.
    } finally {
      this.isLooking = false;
    }
    for (const stream of this.open) void stream.serve();
  }
}

/** Answers with a stream that ends when its reader leaves. */
export const sendStream = async (
  request: FastifyRequest,
  reply: FastifyReply,
  connect: () => Readable | Promise<Readable>,
): Promise<void> => {
  request.streamedAfter = reply.elapsedTime;
  // A HEAD request reads no events, and would hold a connection that is never closed.
  const stream = request.method === 'HEAD' ? Readable.from([]) : await connect();
  await reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // Proxies that buffer an answer until it is complete would hold this one for ever.
    .header('x-accel-buffering', 'no')
    .send(stream);
};
