import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, DomainError, type Instant, millisecondsOf } from '#kernel';
import { z } from 'zod';
import { mandates } from './mandate.decider.js';
import { statusOf } from './mandate.state.js';

/** Mandates of one holder that may wait for their decision at once (docs/decisions.md, Mandate). */
export const PENDING_MANDATES = 3;

/** Ids of the mandates that wait, with the instants at which they lapse. */
const storedPending = z.object({ waiting: z.record(z.string(), z.string()) });

/**
 * Limits how many mandates of a holder wait for their decision at once: one document has all of a holder, so that of
 * requests at the same moment, in whatever process, no more get a place than there are. A place is free again once its
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
  async take(holder: string, mandateId: string, lapsesAt: Instant): Promise<void> {
    for (;;) {
      const known = await this.stored.get(holder);
      const waiting = await this.stillWaiting(known?.body.waiting ?? {});
      const { [mandateId]: own, ...others } = waiting;
      // Asked for again after a try that came to nothing, it lapses later than its place would.
      if (own !== undefined && own >= lapsesAt) return;
      const ends = Object.values(others).toSorted();
      if (own === undefined && ends.length >= PENDING_MANDATES) throw this.full(ends[0] ?? lapsesAt);
      const body = { waiting: { ...waiting, [mandateId]: lapsesAt } };
      const expiry = { expiresAt: [...ends, lapsesAt].toSorted().at(-1) ?? lapsesAt };
      const isTaken = known
        ? await this.stored.replace(known, body, expiry)
        : await this.stored.insertIfAbsent(holder, body, expiry);
      if (isTaken) return;
    }
  }

  /** One that has a place and no stream yet is just being asked for. */
  private async stillWaiting(places: Readonly<Record<string, Instant>>): Promise<Record<string, Instant>> {
    const now = this.clock.now();
    const waiting: Record<string, Instant> = {};
    for (const [mandateId, lapsesAt] of Object.entries(places)) {
      if (lapsesAt <= now) continue;
      const { state } = await this.aggregates.load(mandates, mandateId);
      if (state.kind === 'none' || (state.kind === 'granted' && statusOf(state, now) === 'pending'))
        waiting[mandateId] = lapsesAt;
    }
    return waiting;
  }

  private full(endsAt: Instant): DomainError {
    const wait = Math.ceil((millisecondsOf(endsAt) - millisecondsOf(this.clock.now())) / 1_000);
    const details = { limit: PENDING_MANDATES, endsAt };
    return new DomainError('rate_limited', details, { retryAfter: Math.max(1, wait) });
  }
}
