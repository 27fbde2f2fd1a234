import { createHash } from 'node:crypto';
import { type Clock, type Instant, instantOf, millisecondsOf, Unavailable } from '#kernel';
import type { Outbox, Place } from '#outbox';
import type { RemotePosts } from '#remote';
import { type Delivery, type Deliveries, placeOf, type StoredDelivery, untried } from './deliveries.js';
import { type Arrived, type DisabledReason, type Endpoints, ending, type Webhook } from './endpoints.js';
import type { EventBodies } from './event-bodies.js';
import { nextTry } from './retries.rule.js';
import { signedHeaders, type SigningKey } from './signing.js';

/** How many places are read at a time, and how many deliveries of an endpoint wait: beyond them the rest stays in the outbox. */
const [PAGE, MOST_WAITING] = [100, 1_000] as const;
/** How many lanes of an endpoint are sent side by side; of one that fails, one after the other. */
const SIDE_BY_SIDE = 4;
/** How often (ms) the cursor is stored, while there is something to send. */
const SAVING = 1_000;
/** How long (ms) a sender rests whose stores do not answer. */
const REST = 1_000;
/** For how long (ms) at most nothing else is tried at an address that does not answer. */
const DEAF = 60_000;
/** How many of those that arrived at the first try are shown. */
const RECENT = 20;

export interface SenderParts {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly outbox: Outbox;
  readonly posts: RemotePosts;
  readonly bodies: EventBodies;
  readonly clock: Clock;
  readonly onSent: (arrived: boolean) => void;
  readonly onError: (error: unknown) => void;
  /** Resolves when one more may be sent. */
  readonly turn: () => Promise<void>;
  /** Ends all sending: nothing more is begun. */
  readonly signal: AbortSignal;
  /** Ends what is still under way a moment later: it counts as failed. */
  readonly cut: AbortSignal;
}

/** A delivery that waits. */
interface Waiting {
  readonly delivery: Delivery;
  /** From when (ms since 1970) on it may be tried; those behind it wait for it. */
  readonly dueAt: number;
}

interface Item {
  readonly place: Place;
  readonly waiting: Waiting | null;
}

/** What became of a try; `status` null: nothing was answered. */
interface Outcome {
  readonly status: number | null;
  readonly retryAfter: number | null;
}

/** A pass over what is to be sent. */
interface Round {
  readonly webhook: Webhook;
  readonly keys: readonly SigningKey[];
  /** Nothing answers at its address: nothing else is tried before this (ms since 1970). */
  deafUntil: number | null;
  /** It was disabled meanwhile. */
  isOver: boolean;
}

/** Sends one endpoint what it is to be told: in the log's order in each lane, one request at a time. */
export class Sender {
  /** What waits, by the key of its place; null: not read yet. */
  private waiting: Map<string, Waiting> | null = null;
  private turn = -1;
  private cursor: string | null = null;
  /** The cursor as it is stored. */
  private stored: string | null = null;
  private recent: readonly Arrived[] = [];
  private failingSince: Instant | undefined;
  /** Keys beyond the cursor of what has arrived. */
  private readonly arrived = new Set<string>();
  private isChanged = false;
  private savedAt = -Infinity;
  private running: Promise<void> | null = null;
  private isWoken = false;
  /** Since when (ms since 1970) it has something to send; null: it has not. */
  private since: number | null = null;
  /** When (ms since 1970) it goes on by itself; null: when it is woken. */
  private nextAt: number | null = null;

  constructor(
    readonly id: string,
    private readonly parts: SenderParts,
    private readonly onEnd: () => void,
  ) {}

  /** How many deliveries wait, and since when (ms since 1970) something is to be sent to who takes it; null: nothing is. */
  get figures(): { readonly queued: number; readonly since: number | null } {
    return { queued: this.waiting?.size ?? 0, since: this.failingSince === undefined ? this.since : null };
  }

  /** Goes on, if its time has come. */
  tick(): void {
    const isDue = this.nextAt !== null && this.nextAt <= this.now();
    if (isDue || (this.isChanged && this.isToBeSaved())) this.wake();
  }

  wake(): void {
    this.isWoken = true;
    this.since ??= this.now();
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.isWoken && !this.isStopping()) this.wake(); // as it was about to end
    });
  }

  /** Ends with what is under way, once the signal has. */
  async stop(): Promise<void> {
    await this.running;
    await this.save();
  }

  private async run(): Promise<void> {
    while (this.isWoken && !this.isStopping()) {
      this.isWoken = false;
      this.nextAt = null;
      try {
        this.nextAt = await this.round();
      } catch (error) {
        this.parts.onError(error);
        this.nextAt = this.now() + REST;
      }
      if (this.nextAt === 0) this.isWoken = true;
    }
    this.since = null;
  }

  /** Sends what can be sent now. Returns when to go on: 0, at once; null, when it is woken. */
  private async round(): Promise<number | null> {
    const { endpoints, outbox, clock } = this.parts;
    const webhook = await this.opened();
    if (!webhook || webhook.body.disabled) {
      await this.save();
      this.onEnd();
      return null;
    }
    const { holder, clientId, isEnding, createdAt, since = '', types } = webhook.body;
    const waiting = this.waiting ?? new Map<string, Waiting>();
    const limit = isEnding ? 0 : Math.min(PAGE, MOST_WAITING - waiting.size);
    const read = limit > 0 ? await outbox.after(this.cursor, { holder, clientId }, limit) : [];
    const last = read.findIndex(({ type, at }) => type === 'agent.revoked' && at >= createdAt);
    const places = last < 0 ? read : read.slice(0, last + 1);
    const isKnown = (key: string) => waiting.has(key) || this.arrived.has(key);
    const isNew = ({ type, key, at }: Place) => at >= since && types.includes(type) && !isKnown(key);
    const round = { webhook, keys: endpoints.keysOf(webhook, clock.now()), deafUntil: null, isOver: false };
    const lanes = byLane([...waiting.values()], places.filter(isNew));
    const width = this.failingSince === undefined ? SIDE_BY_SIDE : 1;
    await sideBySide([...lanes.values()], width, (lane) => this.sendLane(lane, round));
    this.advance(places.at(-1)?.key);
    if (last >= 0) await this.end(webhook);
    if (isEnding && waiting.size === 0) await endpoints.stored.delete(this.id);
    if (this.isToBeSaved()) await this.save();
    const isMore = last >= 0 || (isEnding && waiting.size === 0) || (places.length > 0 && places.length === limit);
    return isMore || round.isOver ? 0 : this.nextTime();
  }

  /** The endpoint as it is stored, with what waits for it; null: there is none any more. */
  private async opened(): Promise<Webhook | null> {
    const { endpoints, deliveries } = this.parts;
    const seen = await endpoints.stored.get(this.id);
    if (!seen || (this.waiting && seen.body.turn === this.turn)) return seen;
    await this.save(); // what was sent before it was changed
    const webhook = await endpoints.stored.get(this.id);
    if (!webhook) return null;
    const queued = await deliveries.queued(this.id, MOST_WAITING);
    // All of it at once: a restart, a test that arrived and a delivery that is asked for again do not wait.
    this.waiting = new Map(queued.map((delivery) => [delivery.body.key, { delivery, dueAt: 0 }]));
    const { turn, cursor, recent, failingSince } = webhook.body;
    this.turn = turn;
    if (cursor !== this.cursor) this.arrived.clear(); // it is to be sent again
    this.cursor = this.stored = cursor;
    this.recent = recent;
    this.failingSince = failingSince;
    return webhook;
  }

  /** When the first of those that wait is due that nothing is in front of. */
  private nextTime(): number | null {
    const lanes = byLane([...(this.waiting?.values() ?? [])], []);
    const times = [...lanes.values()].flatMap(([head]) => head?.waiting?.dueAt ?? []);
    return times.length === 0 ? null : Math.max(1, Math.min(...times));
  }

  private isToBeSaved(): boolean {
    return this.parts.clock.monotonic() - this.savedAt >= SAVING;
  }

  private async sendLane(lane: readonly Item[], round: Round): Promise<void> {
    /** Since when nothing more of this lane is tried: until then (ms), or until what is in front of it has arrived. */
    let blocked: number | null | undefined;
    const behind: Place[] = [];
    for (const { place, waiting } of lane) {
      if (this.isStopping() || round.isOver) blocked ??= null;
      else if (blocked === undefined && round.deafUntil !== null) blocked = round.deafUntil;
      if (blocked === undefined && waiting && waiting.dueAt > this.now()) blocked = null;
      if (blocked === undefined) {
        if (!(await this.deliver(place, waiting, round))) blocked = null;
      } else if (!waiting) behind.push(place);
    }
    const first = blocked === undefined || blocked === null ? null : instantOf(blocked);
    await Promise.all(behind.map((place, n) => this.keep(untried(this.id, place, n === 0 ? first : null))));
  }

  /** Tries a delivery; returns whether nothing more is to be done about it. */
  private async deliver(place: Place, waiting: Waiting | null, round: Round): Promise<boolean> {
    const { clock, deliveries, onSent } = this.parts;
    const { status, retryAfter } = await this.attempt(place, round);
    const hasArrived = status !== null && status >= 200 && status < 300;
    onSent(hasArrived);
    const attemptedAt = clock.now();
    const before = waiting?.delivery.body ?? untried(this.id, place, null);
    const attempts = before.attempts + 1;
    const tried = { ...before, attempts, firstAt: before.firstAt ?? attemptedAt, attemptedAt, responseStatus: status };
    if (hasArrived) {
      this.arrived.add(place.key);
      this.failingSince = undefined;
      this.isChanged = true;
      if (waiting) await deliveries.put({ ...tried, status: 'delivered', queue: null, nextAt: null });
      else this.note({ place: placeOf(place), at: attemptedAt, responseStatus: status });
      this.waiting?.delete(place.key);
      return true;
    }
    this.failingSince ??= attemptedAt;
    this.isChanged = true;
    const now = millisecondsOf(attemptedAt);
    const firstAt = millisecondsOf(tried.firstAt);
    const next = this.isStopping()
      ? now
      : nextTry({ attempts, firstAt, now, retryAfter, jitter: jitterOf(`${this.id} ${place.id} ${attempts}`) });
    if (status === null) round.deafUntil = Math.min(next ?? now, now + DEAF);
    if (next === null) await deliveries.put({ ...tried, status: 'failed', queue: null, nextAt: null });
    else await this.keep({ ...tried, nextAt: instantOf(next) });
    if (next === null) this.waiting?.delete(place.key);
    if (status === 410) await this.disable('gone', round);
    else if (next === null && this.failingSince <= tried.firstAt) await this.disable('failing', round);
    return next === null;
  }

  private async attempt(place: Place, { webhook, keys }: Round): Promise<Outcome> {
    const { bodies, posts, clock, cut, onError } = this.parts;
    try {
      const body = await bodies.of(place);
      await this.parts.turn();
      const headers = signedHeaders({ id: place.id, body }, keys, clock.now());
      return await posts.post(webhook.body.url, { headers, body }, cut).catch(() => NO_ANSWER);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      onError(error);
      return NO_ANSWER;
    }
  }

  /** Stores a delivery that waits. */
  private async keep(delivery: StoredDelivery): Promise<void> {
    const kept = await this.parts.deliveries.put(delivery);
    const dueAt = delivery.nextAt === null ? 0 : millisecondsOf(delivery.nextAt);
    this.waiting?.set(delivery.key, { delivery: kept, dueAt });
  }

  private note(arrived: Arrived): void {
    this.recent = [arrived, ...this.recent].slice(0, RECENT);
  }

  /** Everything up to this key has arrived, or waits as a delivery. */
  private advance(key: string | undefined): void {
    if (key === undefined || key === this.cursor) return;
    this.cursor = key;
    this.arrived.clear();
    this.isChanged = true;
  }

  private async disable(disabled: DisabledReason, round: Round): Promise<void> {
    round.isOver = true;
    const changedAt = this.parts.clock.now();
    await this.parts.endpoints.stored.update(this.id, (body) => body && { ...body, disabled, changedAt });
  }

  /** Its agent was revoked: what waits is sent, and then it is gone. */
  private async end({ id }: Webhook): Promise<void> {
    await this.save();
    await this.parts.endpoints.stored.update(id, (body) => body && ending(id, body));
  }

  /** Stores how far it is, unless the cursor was set to another place meanwhile. */
  private async save(): Promise<void> {
    if (!this.isChanged) return;
    const { cursor, recent, failingSince } = this;
    const written = await this.parts.endpoints.stored.update(this.id, (body) => {
      if (body?.cursor !== this.stored) return null;
      const { failingSince: _, ...rest } = body;
      return { ...rest, cursor, recent, ...(failingSince !== undefined && { failingSince }) };
    });
    if (written) this.stored = cursor;
    this.isChanged = false;
    this.savedAt = this.parts.clock.monotonic();
  }

  private now(): number {
    return millisecondsOf(this.parts.clock.now());
  }

  private isStopping(): boolean {
    return this.parts.signal.aborted; // it changes meanwhile
  }
}

const NO_ANSWER: Outcome = { status: null, retryAfter: null };

/** What is to be sent by lane, in the log's order. */
const byLane = (waiting: readonly Waiting[], places: readonly Place[]): ReadonlyMap<string, readonly Item[]> => {
  const items = [
    ...waiting.map((one): Item => ({ place: one.delivery.body.place, waiting: one })),
    ...places.map((place): Item => ({ place, waiting: null })),
  ].sort((one, other) => (one.place.key < other.place.key ? -1 : 1));
  const lanes = new Map<string, Item[]>();
  for (const item of items) {
    const lane = lanes.get(item.place.lane);
    if (lane) lane.push(item);
    else lanes.set(item.place.lane, [item]);
  }
  return lanes;
};

/** Works on each, at most `width` at a time. @throws what the first that failed did, once all have ended */
const sideBySide = async <Work>(
  all: readonly Work[],
  width: number,
  work: (one: Work) => Promise<void>,
): Promise<void> => {
  const left = all[Symbol.iterator]();
  const workers = Array.from({ length: width }, async () => {
    for (const one of left) await work(one);
  });
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};

/** Between 0 and 1, and always the same for a try. */
const jitterOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
