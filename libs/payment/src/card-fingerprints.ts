import { createHmac } from 'node:crypto';
import { type CollectionSpec, type Documents, DuplicateDocument } from '#documents';
import { type Clock, type Instant, plus } from '#kernel';
import { type Card, digitsOf } from './card.js';

/** Keyed HMACs of the cards of challenged orders, by order id; they expire. */
export const CARD_FINGERPRINTS: CollectionSpec = { name: 'card-traces', indexes: [] };

/** How long the card of a challenge is known after its end, in ms (docs/decisions.md, Test processor; rule 10). */
export const CARD_MEMORY = 600_000;

/** Tells the card of a challenge again, and nothing else about it (docs/consistency.md, rule 10). */
export class CardFingerprints {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly secret: Buffer,
  ) {}

  /** Keeps a card's trace while its challenge waits, and ten minutes longer. */
  async keep(orderId: string, card: Card, challengeEnds: Instant): Promise<void> {
    try {
      const expiresAt = plus(challengeEnds, CARD_MEMORY);
      await this.documents.insert(CARD_FINGERPRINTS.name, orderId, { trace: this.traceOf(card) }, { expiresAt });
    } catch (error) {
      if (!(error instanceof DuplicateDocument)) throw error;
    }
  }

  /** Whether this is the card of the order's challenge. */
  async matches(orderId: string, card: Card): Promise<boolean> {
    const kept = await this.documents.get<{ readonly trace: string }>(CARD_FINGERPRINTS.name, orderId);
    return kept?.body.trace === this.traceOf(card);
  }

  /**
   * Keeps the trace for ten minutes from now: a card whose holder refused is not asked again for a while, and an order
   * whose process died between capture and settling is still completed by the same order sent again.
   */
  async forgetSoon(orderId: string): Promise<void> {
    const kept = await this.documents.get<object>(CARD_FINGERPRINTS.name, orderId);
    const expiresAt = plus(this.clock.now(), CARD_MEMORY);
    if (kept) await this.documents.replace(CARD_FINGERPRINTS.name, orderId, kept.version, kept.body, { expiresAt });
  }

  /** Forgets the card of a charge that was closed without its holder's word. */
  async forget(orderId: string): Promise<void> {
    await this.documents.delete(CARD_FINGERPRINTS.name, orderId);
  }

  private traceOf(card: Card): string {
    return createHmac('sha256', this.secret).update(digitsOf(card)).digest('base64url');
  }
}
