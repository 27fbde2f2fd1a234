import { LeasedWork, type SharedLease } from '#documents';
import type { BaseUrls } from '#http';
import { type Instant, millisecondsOf, nextTurn, partyKey, plus, STOP_BUDGET } from '#kernel';
import { Sender, type SenderParts } from './sender.js';
import { SentEvents } from './message.js';
import type { Webhook } from './stored-webhook.js';

/** How often (ms) the outbox is looked at; and whether endpoints were made or changed; and at all of them, whatever their clocks say. */
const [TICK, LOOKING, LOOKING_AT_ALL] = [250, 1_000, 60_000] as const;
/** By how much (ms) the clocks of processes may differ for a change to be seen at once. */
const SKEW = 10_000;
/** How many places and endpoints are read at a time. */
const PAGE = 500;
/** How long (ms) what is under way at the end may take: after that it would come again. */
const GRACE = STOP_BUDGET.work / 2;
/** A turn of the loop that takes as long (ms) is one of a process with requests to answer: then so long a rest is before a message. */
const [BUSY, REST] = [3, 25] as const;

export interface DispatcherParts extends Omit<SenderParts, 'events' | 'turn' | 'signal' | 'cut'> {
  readonly urls: BaseUrls;
  readonly lease: SharedLease;
}

export interface SendingFigures {
  /** Deliveries that wait for another try, or for the one before them. */
  readonly queued: number;
  /** For how long (s) something has been there to be sent to an endpoint that takes what it is sent. */
  readonly oldestSeconds: number;
}

/** Sends the events of the outbox to the endpoints of their agents (docs/interface.md, Webhooks). */
export class Dispatcher {
  private readonly sending: LeasedWork;
  private senders: ReadonlyMap<string, Sender> | null = null;

  constructor(private readonly parts: DispatcherParts) {
    this.sending = new LeasedWork({ ...parts, name: 'webhooks', work: (over) => this.dispatch(over) });
  }

  /** What this process has to send; null where it does not. */
  get figures(): SendingFigures | null {
    if (!this.senders) return null;
    const now = millisecondsOf(this.parts.clock.now());
    let [total, oldest] = [0, now];
    for (const { figures } of this.senders.values()) {
      total += figures.queued;
      oldest = Math.min(oldest, figures.since ?? now);
    }
    return { queued: total, oldestSeconds: (now - oldest) / 1_000 };
  }

  start(): void {
    this.sending.start();
  }

  /** Ends with what is under way; what takes longer than a moment counts as failed. */
  stop(): Promise<void> {
    return this.sending.stop();
  }

  private async dispatch(signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.parts;
    const cut = new AbortController();
    const work = new Dispatching(this.parts, signal, cut.signal);
    this.senders = work.senders;
    while (!signal.aborted) {
      await work.tick().catch(onError);
      await clock.sleep(TICK, signal);
    }
    this.senders = null;
    const cancel = clock.after(GRACE, () => cut.abort());
    await Promise.all([...work.senders.values()].map((sender) => sender.stop().catch(onError)));
    cancel();
  }
}

/** The sending of one process, for as long as it has the lease. */
class Dispatching {
  readonly senders = new Map<string, Sender>();
  private readonly ofAgents = new Map<string, Set<Sender>>();
  private readonly senderParts: SenderParts;
  /** The key up to which those that it concerns were woken; undefined: nobody has looked yet. */
  private seen: string | null | undefined;
  private last: Promise<void> = Promise.resolve();
  private lookedAt = -Infinity;
  private lookedAtAllAt = -Infinity;
  /** From when on changes are looked for. */
  private changedFrom: Instant;

  constructor(
    private readonly parts: DispatcherParts,
    private readonly signal: AbortSignal,
    cut: AbortSignal,
  ) {
    const events = new SentEvents(parts.outbox, parts.urls);
    this.senderParts = { ...parts, events, turn: () => this.turn(), signal, cut };
    this.changedFrom = parts.clock.now();
  }

  /** Lets one more be sent: of a busy process forty in a second, since somebody waits for the answers to its requests. */
  private turn(): Promise<void> {
    const { clock } = this.parts;
    const next = async () => {
      const before = clock.monotonic();
      await nextTurn();
      if (clock.monotonic() - before >= BUSY) await clock.sleep(REST, this.signal);
    };
    return (this.last = this.last.then(next));
  }

  async tick(): Promise<void> {
    const { clock } = this.parts;
    const now = clock.monotonic();
    const end = await this.parts.outbox.end();
    if (this.seen === undefined) this.seen = end;
    if (now - this.lookedAtAllAt >= LOOKING_AT_ALL) {
      await this.lookAtAll();
      this.lookedAt = this.lookedAtAllAt = now;
    } else if (now - this.lookedAt >= LOOKING) {
      await this.lookForChanges();
      this.lookedAt = now;
    }
    await this.lookForEvents(this.seen, end);
    for (const sender of this.senders.values()) sender.tick();
  }

  /** Senders of endpoints that were deleted see that there is none any more. */
  private async lookAtAll(): Promise<void> {
    const gone = new Set(this.senders.keys());
    for await (const webhook of this.parts.endpoints.stored.every()) {
      this.take(webhook);
      gone.delete(webhook.id);
    }
    for (const id of gone) this.senders.get(id)?.wake();
  }

  private async lookForEvents(seen: string | null, end: string | null): Promise<void> {
    for (let after = seen; end !== null && after !== end;) {
      const places = await this.parts.outbox.after(after, 'everybody', PAGE, end);
      for (const place of places) {
        for (const sender of this.ofAgents.get(partyKey(place)) ?? []) sender.wake();
        if (place.type === 'agent.revoked') await this.endDisabled(place);
      }
      after = this.seen = places.length < PAGE ? end : (places.at(-1)?.key ?? end);
    }
  }

  /** Endpoints to which nothing is sent end with their agent at once. */
  private async endDisabled(of: { readonly holder: string; readonly clientId: string; readonly at: Instant }) {
    const { endpoints } = this.parts;
    for (const { id, version, body } of await endpoints.everyOf(of))
      if (body.disabled && body.createdAt <= of.at) await endpoints.stored.delete(id, version);
  }

  private async lookForChanges(): Promise<void> {
    const from = plus(this.parts.clock.now(), -SKEW);
    const query = {
      where: [{ field: 'changedAt', atLeast: this.changedFrom }],
      sort: { field: 'changedAt', direction: 'ascending' },
      limit: PAGE,
    } as const;
    for (const webhook of await this.parts.endpoints.stored.find(query)) this.take(webhook);
    this.changedFrom = from;
  }

  /** Begins to send to an endpoint, or lets its sender see that it was changed. */
  private take({ id, body }: Webhook): void {
    const known = this.senders.get(id);
    if (known) known.wake();
    if (known || body.disabled || (body.isPlatform && !this.parts.platformPosts)) return;
    const agent = partyKey(body);
    const others = this.ofAgents.get(agent) ?? new Set();
    const sender = new Sender(id, this.senderParts, () => {
      this.senders.delete(id);
      others.delete(sender);
      if (others.size === 0) this.ofAgents.delete(agent);
    });
    this.senders.set(id, sender);
    this.ofAgents.set(agent, others.add(sender));
    sender.wake();
  }
}
