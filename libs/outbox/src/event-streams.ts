import { PassThrough } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BaseUrls } from '#http';
import { type Cancel, Clock, DomainError, type Party } from '#kernel';
import type { EventType } from './event-types.js';
import { Outbox } from './outbox.js';
import { cursorOf, type Place } from './places.js';

/** Connections of this process in total, and of one agent of one traveller. */
const [MAX_CONNECTIONS, MAX_OF_AGENT] = [500, 5];
/** How often (ms) it is looked for new events, for a token that is good no more, and for a line that was silent for too long. */
const [LOOK, CHECK, KEEP_ALIVE] = [250, 1_000, 15_000];
/** How many events are sent at once, and how many bytes a reader may be behind before nothing more is read for it. */
const [AT_ONCE, MAX_BACKLOG] = [100, 65_536];
/** How long (ms) a reader may take nothing before its connection is cut. */
const MAX_STANDSTILL = 60_000;

/** Who listens, to what, and from where on. */
export interface Listener {
  readonly party: Party;
  readonly types: ReadonlySet<EventType>;
  /** The key of the last event that it has. */
  readonly after: string;
  readonly urls: BaseUrls;
  /** Whether its token is still good. */
  readonly isInForce: () => Promise<boolean>;
}

class Connection {
  readonly stream = new PassThrough();
  key: string;
  isBusy = false;
  private checkedAt: number;
  private sentAt: number;
  private movedAt: number;

  constructor(
    readonly listener: Listener,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {
    this.key = listener.after;
    this.checkedAt = this.sentAt = this.movedAt = clock.monotonic();
    this.stream.write(`retry: 3000\nid: ${cursorOf(this.key)}\n\n`);
  }

  /** Sends what there is up to `end`, a page at most, unless the token is good no more: then it ends. */
  async serve(end: string | null): Promise<void> {
    const now = this.clock.monotonic();
    if (this.stream.writableLength > MAX_BACKLOG) {
      if (now - this.movedAt > MAX_STANDSTILL) this.stream.destroy();
      return;
    }
    this.movedAt = now;
    const places =
      end !== null && this.key < end ? await this.outbox.after(this.key, this.listener.party, AT_ONCE) : [];
    const wanted = places.filter(({ type }) => this.listener.types.has(type));
    if (wanted.length > 0 || now - this.checkedAt >= CHECK) {
      this.checkedAt = now;
      if (!(await this.listener.isInForce())) {
        this.stream.end();
        return;
      }
    }
    if (wanted.length > 0) await this.send(wanted);
    else if (now - this.sentAt >= KEEP_ALIVE) this.write(':\n\n');
    const last = places.at(-1)?.key ?? this.key;
    this.key = places.length < AT_ONCE && end !== null && end > last ? end : last;
  }

  private async send(places: readonly Place[]): Promise<void> {
    const events = await this.outbox.eventsOf(places, this.listener.urls);
    this.write(events.map((event) => `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  }

  private write(text: string): void {
    this.sentAt = this.clock.monotonic();
    this.stream.write(text);
  }
}

/** Public events as they happen, for every agent that listens (WHATWG HTML §9.2, Server-sent events). */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly connections = new Set<Connection>();
  private timer: Cancel | null = null;
  private isLooking = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `rate_limited` where the agent, or this process, has as many as it may have */
  connect(listener: Listener): PassThrough {
    const { holder, clientId } = listener.party;
    const isOfAgent = ({ listener: { party } }: Connection) => party.holder === holder && party.clientId === clientId;
    const isFull =
      this.connections.size >= MAX_CONNECTIONS || [...this.connections].filter(isOfAgent).length >= MAX_OF_AGENT;
    if (isFull) throw new DomainError('rate_limited', { limit: 'live-connections' }, { retryAfter: 30 });
    const connection = new Connection(listener, this.outbox, this.clock);
    this.connections.add(connection);
    connection.stream.once('close', () => {
      this.connections.delete(connection);
      if (this.connections.size === 0) this.stopLooking();
    });
    this.timer ??= this.clock.every(LOOK, () => void this.look());
    return connection.stream;
  }

  /** Ends every connection, for which the stopping process would otherwise wait. */
  onModuleDestroy(): void {
    this.stopLooking();
    for (const { stream } of this.connections) stream.end();
  }

  private stopLooking(): void {
    this.timer?.();
    this.timer = null;
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const end = await this.outbox.end();
      for (const connection of this.connections) void this.serve(connection, end);
    } catch {
      // The store does not answer, which is reported elsewhere: the next look asks again.
    } finally {
      this.isLooking = false;
    }
  }

  /** A reader goes on from its cursor somewhere else, so whatever fails ends the connection. */
  private async serve(connection: Connection, end: string | null): Promise<void> {
    if (connection.isBusy) return;
    connection.isBusy = true;
    try {
      await connection.serve(end);
    } catch {
      connection.stream.end();
    } finally {
      connection.isBusy = false;
    }
  }
}
