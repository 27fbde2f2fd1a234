import { Injectable } from '@nestjs/common';
import { Collection, type CollectionSpec, Documents } from '#documents';
import { Clock, DomainError, type ErrorCode, type Instant, millisecondsOf, type Party, plus } from '#kernel';
import { z } from 'zod';
import { OrderSettings } from '../checkout/checkout-dependencies.js';

/** When cards were refused, by holder and client. */
export const REFUSED_CARDS: CollectionSpec = { name: 'refused-cards', indexes: [] };

/** The time in which refused cards are counted, in ms (docs/decisions.md, Limits). */
const WINDOW = 600_000;

const CARD_REFUSALS: readonly ErrorCode[] = [
  'payment_card_expired',
  'payment_card_invalid',
  'payment_challenge_failed',
  'payment_declined',
  'payment_insufficient_funds',
];

const refusals = z.object({ times: z.array(z.string()).readonly() }).readonly();
type Refusals = z.infer<typeof refusals>;

/** Limits how many cards an agent may have refused for one traveller: guessing cards must not pay. */
@Injectable()
export class RefusedCards {
  private readonly refusals: Collection<Refusals>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: OrderSettings,
  ) {
    this.refusals = new Collection(documents, REFUSED_CARDS, refusals);
  }

  /**
   * Does `work` unless the limit is reached; counts it where it ends in a refused card.
   *
   * @throws DomainError `rate_limited` with the time until another try counts
   */
  async within<Result>(party: Party, work: () => Promise<Result>): Promise<Result> {
    if (this.settings.refusedCards === 0) return work();
    const id = `${party.holder}.${party.clientId}`;
    await this.check(id);
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && CARD_REFUSALS.includes(error.code)) await this.count(id);
      throw error;
    }
  }

  private async check(id: string): Promise<void> {
    const recent = this.recent((await this.refusals.get(id))?.body);
    const [oldest] = recent.slice(-this.settings.refusedCards);
    if (recent.length < this.settings.refusedCards || oldest === undefined) return;
    const wait = millisecondsOf(oldest) + WINDOW - millisecondsOf(this.clock.now());
    throw new DomainError('rate_limited', undefined, { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
  }

  private async count(id: string): Promise<void> {
    const now = this.clock.now();
    const counted = (known: Refusals | null) => ({
      times: [...this.recent(known), now].slice(-this.settings.refusedCards),
    });
    await this.refusals.update(id, counted, { expiresAt: plus(now, WINDOW) });
  }

  private recent(known: Refusals | null | undefined): readonly Instant[] {
    const since = plus(this.clock.now(), -WINDOW);
    return (known?.times ?? []).filter((time) => time > since);
  }
}
