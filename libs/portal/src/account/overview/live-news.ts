import type { Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ReadModelStore } from '#documents';
import { type Listener, LiveStreams } from '#http';
import { Clock } from '#kernel';
import { mandates } from '#mandate';
import { orders } from '#order';
import { Notices, Outbox, positionIn } from '#outbox';
import { ReadModels } from '#read-models';
import { type Happening, happeningsProjection } from '../../happenings.projection.js';

/** How many public events are read at once, and how many of the newest refusals, which are none. */
const [AT_ONCE, REFUSALS] = [500, 50];
/** How long (ms) a page is notified no more after a notification: it loads itself anew each time. */
const PACE = 1_000;
/** How long (ms) lists are waited for: one may have stopped for good, and the others show it. */
const PATIENCE = 5_000;

/** A page of a traveller that is notified when something of theirs has changed, and not what. */
class Follower implements Listener {
  private isDue = false;
  private notifiedAt = -Infinity;

  constructor(
    readonly of: string,
    readonly isInForce: () => Promise<boolean>,
    private readonly clock: Clock,
  ) {}

  notify(): void {
    this.isDue = true;
  }

  news(): Promise<string> {
    const now = this.clock.monotonic();
    if (!this.isDue || now - this.notifiedAt < PACE) return Promise.resolve('');
    this.isDue = false;
    this.notifiedAt = now;
    return Promise.resolve('data: novidade\n\n');
  }
}

/** What all followers were notified of. */
interface Known {
  /** Up to which key the public events have their notices; null: there are none. */
  readonly reached: string | null;
  /** By id, the mandates with the last refused charges. */
  readonly refused: ReadonlyMap<string, string | null>;
}

/** Notifies a traveller's open pages of a change, once their lists and notices show it. */
@Injectable()
export class LiveNews implements OnModuleDestroy {
  private known: Known = { reached: null, refused: new Map() };
  private opened = 0;
  /** Since when lists are waited for; null: they are not. */
  private waitsSince: number | null = null;
  private readonly streams: LiveStreams<Follower>;

  constructor(
    private readonly notices: Notices,
    private readonly outbox: Outbox,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {
    this.streams = new LiveStreams(clock, (followers) => this.look(followers));
  }

  /** Of what happens from now on. `isInForce`: whether the traveller is still logged in there. @throws DomainError `rate_limited`; Unavailable */
  async connect(holder: string, isInForce: () => Promise<boolean>): Promise<Readable> {
    const now = { reached: await this.notices.reached(), refused: await this.refused() };
    if (this.streams.isIdle) this.known = now; // nobody looked meanwhile
    this.opened += 1;
    // Pages that a restart cut off do not come back all at once.
    const retry = 2_000 + (this.opened % 30) * 100;
    return this.streams.connect(new Follower(holder, isInForce, this.clock), `retry: ${retry}\n\n`);
  }

  onModuleDestroy(): void {
    this.streams.end();
  }

  private async look(followers: readonly Follower[]): Promise<void> {
    const { known } = this;
    const end = await this.notices.reached();
    const places = end === known.reached ? [] : await this.outbox.after(known.reached, 'everybody', AT_ONCE, end);
    const reached = places.at(-1)?.key ?? end;
    if (reached !== null && places.length > 0 && !(await this.areListed(reached))) {
      this.waitsSince ??= this.clock.monotonic();
      if (this.clock.monotonic() - this.waitsSince < PATIENCE) return; // the next look asks again
    }
    this.waitsSince = null;
    const refused = await this.refused();
    const concerned = new Set([
      ...places.map(({ holder }) => holder),
      ...[...refused].flatMap(([id, holder]) => (known.refused.has(id) ? [] : [holder])),
    ]);
    this.known = { reached, refused };
    for (const follower of followers) if (concerned.has(follower.of)) follower.notify();
  }

  private async areListed(key: string): Promise<boolean> {
    const position = positionIn(key);
    const listed = [mandates, orders].map((type) => this.readModels.waitFor(type, position));
    return (await Promise.all(listed)).every(Boolean);
  }

  private async refused(): Promise<Known['refused']> {
    const collection = this.readModels.collectionOf(happeningsProjection);
    const found = await this.store.find<Happening>(collection, {
      where: [{ field: 'refusedAt', atLeast: '' }],
      sort: { field: 'refusedAt', direction: 'descending' },
      limit: REFUSALS,
    });
    return new Map(found.map(({ id, body }) => [id, body.holder]));
  }
}
