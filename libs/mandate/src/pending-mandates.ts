import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, DomainError, earliest, type Instant, latest, millisecondsOf, type Party } from '#kernel';
import { z } from 'zod';
import { mandates } from './mandate.decider.js';
import { statusOf } from './mandate.state.js';

/** Mandates that may wait for their decision at once, of one agent and of one holder (docs/decisions.md, Mandate). */
export const PENDING_MANDATES = { agent: 3, holder: 9 } as const;

/** A mandate that waits: when it lapses, and who asked for it; of those from before, that is not known. */
const place = z.object({ lapsesAt: z.string(), clientId: z.string() });
const storedPlace = z.union([place, z.string().transform((lapsesAt) => ({ lapsesAt, clientId: '' }))]);
type Place = z.infer<typeof place>;

/** By the ids of the mandates. */
const storedPending = z.object({ waiting: z.record(z.string(), storedPlace) });

/**
 * Limits how many mandates of a holder wait for their decision at once, and how many of these one agent asked for, so that
 * one that keeps asking shuts out no other: one document has all of a holder, so that of requests at the same moment, in
 * whatever process, no more get a place than there are. A place is free again once its
 * mandate was decided, was revoked or has lapsed, which its own stream says.
 */
@Injectable()
export class PendingMandates implements OnModuleInit {
  private readonly stored: Collection<z.infer<typeof storedPending>>;

  constructor(
    documents: Documents,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, { name: 'pending-mandates', indexes: [] }, storedPending);
  }

  onModuleInit(): Promise<void> {
    return this.prepare();
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Forgets what waits of a holder who is erased. */
  async forget(holder: string): Promise<void> {
    await this.stored.delete(holder);
  }

  /** Takes a place for a mandate that will wait until `lapsesAt`. @throws DomainError `rate_limited` with `{ limit, endsAt }` */
  async take({ holder, clientId }: Party, mandateId: string, lapsesAt: Instant): Promise<void> {
    for (;;) {
      const known = await this.stored.get(holder);
      const waiting = await this.stillWaiting(known?.body.waiting ?? {});
      const { [mandateId]: own, ...others } = waiting;
      // Asked for again after a try that came to nothing, it lapses later than its place would.
      if (own !== undefined && own.lapsesAt >= lapsesAt) return;
      const all = Object.values(others);
      if (own === undefined)
        this.requireRoom(
          all.filter((one) => one.clientId === clientId),
          PENDING_MANDATES.agent,
        );
      if (own === undefined) this.requireRoom(all, PENDING_MANDATES.holder);
      const body = { waiting: { ...waiting, [mandateId]: { lapsesAt, clientId } } };
      const expiry = { expiresAt: all.map((one) => one.lapsesAt).reduce(latest, lapsesAt) };
      const isTaken = known
        ? await this.stored.replace(known, body, expiry)
        : await this.stored.insertIfAbsent(holder, body, expiry);
      if (isTaken) return;
    }
  }

  /** One that has a place and no stream yet is just being asked for. */
  private async stillWaiting(places: Readonly<Record<string, Place>>): Promise<Record<string, Place>> {
    const now = this.clock.now();
    const waiting: Record<string, Place> = {};
    for (const [mandateId, known] of Object.entries(places)) {
      if (known.lapsesAt <= now) continue;
      const { state } = await this.aggregates.load(mandates, mandateId);
      if (state.kind === 'none' || (state.kind === 'granted' && statusOf(state, now) === 'pending'))
        waiting[mandateId] = known;
    }
    return waiting;
  }

  /** @throws DomainError `rate_limited` where there are as many of them as there may be */
  private requireRoom(waiting: readonly Place[], limit: number): void {
    if (waiting.length < limit) return;
    const endsAt = waiting.map(({ lapsesAt }) => lapsesAt).reduce(earliest);
    const wait = Math.ceil((millisecondsOf(endsAt) - millisecondsOf(this.clock.now())) / 1_000);
    throw new DomainError('rate_limited', { limit, endsAt }, { retryAfter: Math.max(1, wait) });
  }
}
