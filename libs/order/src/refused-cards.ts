import { Injectable } from '@nestjs/common';
import { type CollectionSpec, Documents, DuplicateDocument } from '#documents';
import { Clock, DomainError, type ErrorCode, type Instant, millisecondsOf, plus } from '#kernel';
import { OrderSettings } from './order-settings.js';

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

interface Refusals {
  readonly times: readonly Instant[];
}

/** Bounds how many cards an agent may have refused for one traveller: guessing cards must not pay. */
@Injectable()
export class RefusedCards {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly settings: OrderSettings,
  ) {}

  /**
   * Does `work` unless the bound is reached; counts it where it ends in a refused card.
   *
   * @throws DomainError `rate_limited` with the time until another try counts
   */
  async within<Result>(
    party: { readonly holder: string; readonly clientId: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
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
    const recent = this.recent((await this.documents.get<Refusals>(REFUSED_CARDS.name, id))?.body);
    const [oldest] = recent.slice(-this.settings.refusedCards);
    if (recent.length < this.settings.refusedCards || oldest === undefined) return;
    const wait = millisecondsOf(oldest) + WINDOW - millisecondsOf(this.clock.now());
    throw new DomainError('rate_limited', undefined, { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
  }

  private async count(id: string): Promise<void> {
    const now = this.clock.now();
    const expiresAt = plus(now, WINDOW);
    for (;;) {
      const known = await this.documents.get<Refusals>(REFUSED_CARDS.name, id);
      const body = { times: [...this.recent(known?.body), now].slice(-this.settings.refusedCards) };
      try {
        if (!known) {
          await this.documents.insert(REFUSED_CARDS.name, id, body, { expiresAt });
          return;
        }
        if (await this.documents.replace(REFUSED_CARDS.name, id, known.version, body, { expiresAt })) return;
      } catch (error) {
        if (!(error instanceof DuplicateDocument)) throw error;
      }
    }
  }

  private recent(refusals: Refusals | undefined): readonly Instant[] {
    const since = plus(this.clock.now(), -WINDOW);
    return (refusals?.times ?? []).filter((time) => time > since);
  }
}
