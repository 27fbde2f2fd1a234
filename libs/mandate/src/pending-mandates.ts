import { Injectable } from '@nestjs/common';
import { HolderSlots, type Waiting } from '#checkout';
import { type CollectionSpec, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, DomainError, earliest, type Instant, type Party, secondsUntil } from '#kernel';
import { z } from 'zod';
import { mandates } from './mandate.decider.js';
import { statusOf } from './mandate.state.js';

/** The mandates of each holder that wait for their decision. */
export const PENDING_MANDATES: CollectionSpec = { name: 'pending-mandates', indexes: [] };

/** Mandates that may wait for their decision at once, of one agent and of one holder (docs/decisions.md, Mandate). */
const AT_ONCE = { agent: 3, holder: 9 } as const;

/** A mandate that waits: when it lapses, and who asked for it; of those from before, that is not known. */
const place = z.object({ lapsesAt: z.string(), clientId: z.string() });
const storedPlace = z.union([place, z.string().transform((lapsesAt) => ({ lapsesAt, clientId: '' }))]);
type Place = z.infer<typeof place>;

/** Limits how many mandates of a holder, and of one agent, wait for a decision. Their own streams say which still do. */
@Injectable()
export class PendingMandates extends HolderSlots<Place> {
  constructor(
    documents: Documents,
    private readonly aggregates: Aggregates,
    clock: Clock,
  ) {
    super(documents, PENDING_MANDATES, storedPlace, clock);
  }

  /** Takes a place for a mandate that will wait until `lapsesAt`. @throws DomainError `rate_limited` with `{ limit, endsAt }` */
  take({ holder, clientId }: Party, mandateId: string, lapsesAt: Instant): Promise<void> {
    return this.takePlace(holder, mandateId, { lapsesAt, clientId });
  }

  protected endOf({ lapsesAt }: Place): Instant {
    return lapsesAt;
  }

  /** One that has a place and no stream yet is just being asked for. */
  protected async isWaiting(mandateId: string): Promise<boolean> {
    const { state } = await this.aggregates.load(mandates, mandateId);
    return state.kind === 'none' || (state.kind === 'granted' && statusOf(state, this.clock.now()) === 'pending');
  }

  protected refusalOf(waiting: Waiting<Place>, { clientId }: Place): DomainError | null {
    const all = Object.values(waiting);
    const ofAgent = all.filter((one) => one.clientId === clientId);
    return this.tooMany(ofAgent, AT_ONCE.agent) ?? this.tooMany(all, AT_ONCE.holder);
  }

  private tooMany(waiting: readonly Place[], limit: number): DomainError | null {
    if (waiting.length < limit) return null;
    const endsAt = waiting.map(({ lapsesAt }) => lapsesAt).reduce(earliest);
    return new DomainError('rate_limited', { limit, endsAt }, { retryAfter: secondsUntil(endsAt, this.clock.now()) });
  }
}
