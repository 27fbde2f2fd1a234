import { type Instant, instantOf, millisecondsOf } from '#kernel';
import type { Outbox } from '../outbox.js';
import type { Place } from '../places.js';
import { type Addressee, attempt, type AttemptParts, hasArrived, jitterOf, TOO_LONG } from './attempt.js';
import { type Deliveries, type StoredDelivery, untried } from './deliveries.js';
import { type Endpoints, ending } from './endpoints.js';
import { byLane, isMeantFor, type Item, sideBySide, type Waiting } from './lanes.js';
import { Progress } from './progress.js';
import { nextTry } from './retries.rule.js';
import { type DisabledReason, turnOf, type Webhook } from './stored-webhook.js';

/** How many places are read at a time, and how many deliveries of an endpoint wait: beyond them the rest stays in the outbox. */
const [PAGE, MOST_WAITING] = [100, 1_000] as const;
/** How many lanes of an endpoint are sent side by side; of one that fails, one after the other. */
const SIDE_BY_SIDE = 4;
/** How old (ms) what is known of the endpoint may be when something is sent to it. */
const LOOKING = 1_000;
/** How long (ms) a sender rests after its stores did not answer. */
const REST = 1_000;
/** For how long (ms) at most nothing else is tried at an address that does not answer. */
const DEAF = 60_000;

export interface SenderParts extends AttemptParts {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly outbox: Outbox;
  readonly onSent: (arrived: boolean) => void;
  /** Ends all sending: nothing more is begun. */
  readonly signal: AbortSignal;
}

/** A pass over what is to be sent. */
interface Round extends Addressee {
  /** Nothing answers at its address: nothing else is tried before this (ms since 1970). */
  deafUntil: number | null;
  /** When it was seen last that the endpoint is as it was (ms, monotonic). */
  seenAt: number;
  /** It was changed or disabled meanwhile, or deleted. */
  isOver: boolean;
  isGone: boolean;
}

/** Sends one endpoint its events: in the log's order in each lane, one request at a time (docs/consistency.md, rule 40). */
export class Sender {
  private readonly progress: Progress;
  /** What waits, by the key of its place; null: not read yet. */
  private waiting: Map<string, Waiting> | null = null;
  private turn = '';
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
  ) {
    this.progress = new Progress(id, parts.endpoints, parts.clock);
  }

  /** How many deliveries wait, and since when (ms since 1970) something is to be sent to who takes it; null: nothing is. */
  get figures(): { readonly queued: number; readonly since: number | null } {
    return { queued: this.waiting?.size ?? 0, since: this.progress.failingSince === undefined ? this.since : null };
  }

  /** Goes on, if its time has come. */
  tick(): void {
    if ((this.nextAt ?? Infinity) <= this.now() || this.progress.isToBeSaved) this.wake();
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
    await this.progress.save();
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
    const { progress } = this;
    const webhook = await this.opened();
    if (!webhook || webhook.body.disabled) {
      await progress.save();
      const left = webhook && (await endpoints.stored.get(this.id));
      if (left?.body.isEnding) await endpoints.stored.delete(this.id, left.version); // nobody can enable it again
      this.onEnd();
      return null;
    }
    const { holder, clientId, isEnding, createdAt } = webhook.body;
    const waiting = this.waiting ?? new Map<string, Waiting>();
    const limit = isEnding ? 0 : Math.min(PAGE, MOST_WAITING - waiting.size);
    const read = limit > 0 ? await outbox.after(progress.cursor, { holder, clientId }, limit) : [];
    const last = read.findIndex(({ type, at }) => type === 'agent.revoked' && at >= createdAt);
    const places = last < 0 ? read : read.slice(0, last + 1);
    const isKnown = (key: string) => waiting.has(key) || progress.hasArrived(key);
    const fresh = places.filter((place) => isMeantFor(webhook, place) && !isKnown(place.key));
    const keys = endpoints.keysOf(webhook, clock.now());
    const round = { webhook, keys, deafUntil: null, seenAt: clock.monotonic(), isOver: false, isGone: false };
    progress.watermark.begin([...waiting.keys(), ...fresh.map(({ key }) => key)].toSorted());
    const lanes = byLane(waiting.values(), fresh);
    const width = progress.failingSince === undefined ? SIDE_BY_SIDE : 1;
    await sideBySide(lanes.values(), width, (lane) => this.sendLane(lane, round));
    progress.advance(places.at(-1)?.key);
    if (last >= 0) await this.end(createdAt);
    const hasEnded = isEnding !== undefined && waiting.size === 0;
    if (hasEnded) await endpoints.stored.delete(this.id, webhook.version);
    if (progress.isToBeSaved) await progress.save();
    const isMore = last >= 0 || hasEnded || (places.length > 0 && places.length === limit);
    return isMore || round.isOver ? 0 : this.nextTime();
  }

  /** The endpoint as it is stored, with what waits for it; null: there is none any more. */
  private async opened(): Promise<Webhook | null> {
    const { endpoints, deliveries } = this.parts;
    const seen = await endpoints.stored.get(this.id);
    if (!seen || (this.waiting && turnOf(seen.body) === this.turn)) return seen;
    await this.progress.save(); // what was sent before it was changed
    const webhook = await endpoints.stored.get(this.id);
    if (!webhook) return null;
    const queued = await deliveries.queued(this.id, MOST_WAITING);
    // All of it at once: a restart, a test that arrived and a delivery that is asked for again do not wait.
    this.waiting = new Map(queued.map((delivery) => [delivery.key, { delivery, dueAt: 0 }]));
    this.turn = turnOf(webhook.body);
    this.progress.open(webhook);
    return webhook;
  }

  /** When the first of those that wait is due that nothing is in front of. */
  private nextTime(): number | null {
    const lanes = byLane(this.waiting?.values() ?? []);
    const times = [...lanes.values()].flatMap(([head]) => head?.waiting?.dueAt ?? []);
    return times.length === 0 ? null : Math.max(1, Math.min(...times));
  }

  /** Whether nothing more is sent in this round: a second after it was changed, disabled or deleted, however long it takes. */
  private async isOver(round: Round): Promise<boolean> {
    const { endpoints, clock } = this.parts;
    if (round.isOver || clock.monotonic() - round.seenAt < LOOKING) return round.isOver;
    round.seenAt = clock.monotonic();
    const body = (await endpoints.stored.get(this.id))?.body;
    round.isGone = !body;
    round.isOver ||= !body || turnOf(body) !== this.turn || body.disabled !== undefined;
    return round.isOver;
  }

  private async sendLane(lane: readonly Item[], round: Round): Promise<void> {
    /** Set once nothing more of this lane is tried: until then (ms), or until what is in front of it has arrived. */
    let blocked: number | null | undefined;
    const behind: Place[] = [];
    for (const { place, waiting } of lane) {
      if (this.isStopping() || (await this.isOver(round))) blocked ??= null;
      else if (blocked === undefined && round.deafUntil !== null) blocked = round.deafUntil;
      if (blocked === undefined && waiting && waiting.dueAt > this.now()) blocked = null;
      if (blocked === undefined) {
        if (!(await this.deliver(place, waiting, round))) blocked = null;
      } else if (!waiting) behind.push(place);
    }
    if (round.isGone) return;
    const first = blocked === undefined || blocked === null ? null : instantOf(blocked);
    await Promise.all(behind.map((place, n) => this.keep(untried(this.id, place, n === 0 ? first : null))));
  }

  /** Tries a delivery; returns whether nothing more is to be done about it. */
  private async deliver(place: Place, waiting: Waiting | null, round: Round): Promise<boolean> {
    const { clock, deliveries, onSent } = this.parts;
    const safe = this.progress.watermark.with(place.key);
    const { status, retryAfter, isOurs, isNothing } = await attempt(this.parts, place, round, safe);
    const attemptedAt = clock.now();
    const before = waiting?.delivery ?? untried(this.id, place, null);
    const attempts = before.attempts + 1;
    const tried = { ...before, attempts, firstAt: before.firstAt ?? attemptedAt, attemptedAt, responseStatus: status };
    if (status !== null && hasArrived(status)) {
      onSent(true);
      this.progress.note(place, attemptedAt, status, waiting === null);
      if (waiting) await deliveries.put({ ...tried, status: 'delivered', queue: null, nextAt: null });
      this.waiting?.delete(place.key);
      return true;
    }
    if (isNothing) {
      if (waiting) await deliveries.put({ ...tried, status: 'failed', queue: null, nextAt: null });
      this.progress.pass(place.key);
      this.waiting?.delete(place.key);
      return true;
    }
    onSent(false);
    const failingSince = this.progress.noteFailure(attemptedAt);
    const now = millisecondsOf(attemptedAt);
    const jitter = jitterOf(`${this.id} ${place.id} ${attempts}`);
    const times = { attempts, firstAt: millisecondsOf(tried.firstAt), now, retryAfter, jitter };
    const isRefused = status === TOO_LONG && round.webhook.body.subscription !== undefined;
    const next = isRefused ? null : this.isStopping() ? now : nextTry(times);
    if (status === null && !isOurs) round.deafUntil = Math.min(next ?? now, now + DEAF);
    if (next !== null) await this.keep({ ...tried, nextAt: instantOf(next) });
    else {
      await deliveries.put({ ...tried, status: 'failed', queue: null, nextAt: null });
      this.waiting?.delete(place.key);
      this.progress.watermark.note(place.key);
    }
    if (status === 410) await this.disable('gone', round);
    else if (next === null && !isRefused && failingSince <= tried.firstAt) await this.disable('failing', round);
    return next === null;
  }

  /** Stores a delivery that waits. */
  private async keep(delivery: StoredDelivery): Promise<void> {
    await this.parts.deliveries.put(delivery);
    const dueAt = delivery.nextAt === null ? 0 : millisecondsOf(delivery.nextAt);
    this.waiting?.set(delivery.key, { delivery, dueAt });
  }

  private async disable(disabled: DisabledReason, round: Round): Promise<void> {
    round.isOver = true;
    const changedAt = this.parts.clock.now();
    await this.parts.endpoints.stored.update(this.id, (body) => body && { ...body, disabled, changedAt });
  }

  /** Its agent was revoked: what waits is sent, and then it is gone. */
  private async end(createdAt: Instant): Promise<void> {
    await this.progress.save();
    const { stored } = this.parts.endpoints;
    await stored.update(this.id, (body) => (body?.createdAt === createdAt ? ending(this.id, body) : null));
  }

  private now(): number {
    return millisecondsOf(this.parts.clock.now());
  }

  private isStopping(): boolean {
    return this.parts.signal.aborted; // it changes meanwhile
  }
}
