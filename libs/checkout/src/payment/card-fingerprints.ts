import { createHmac } from 'node:crypto';
import { Collection, type CollectionSpec, type Documents } from '#documents';
import { type Clock, type Instant, plus } from '#kernel';
import { z } from 'zod';
import { type Card, digitsOf } from './card.js';

/** Keyed HMACs of the cards of challenged orders, by order id; they expire. */
export const CARD_FINGERPRINTS: CollectionSpec = { name: 'card-fingerprints', indexes: [] };

/** How long (ms) the card of a challenge is recognized after its end (docs/consistency.md, rule 10). */
const CARD_MEMORY = 600_000;

/** Recognizes the card of a challenge, and stores nothing else about it (docs/decisions.md, Test processor). */
export class CardFingerprints {
  private readonly fingerprints: Collection<{ readonly fingerprint: string }>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly secret: Buffer,
  ) {
    this.fingerprints = new Collection(documents, CARD_FINGERPRINTS, z.object({ fingerprint: z.string() }));
  }

  /** Keeps the fingerprint of a card while its challenge waits, and ten minutes longer. */
  async keep(orderId: string, card: Card, challengeEnds: Instant): Promise<void> {
    const body = { fingerprint: this.fingerprintOf(card) };
    await this.fingerprints.insertIfAbsent(orderId, body, { expiresAt: plus(challengeEnds, CARD_MEMORY) });
  }

  async matches(orderId: string, card: Card): Promise<boolean> {
    const kept = await this.fingerprints.get(orderId);
    return kept?.body.fingerprint === this.fingerprintOf(card);
  }

  /** Keeps a fingerprint ten minutes more: against another challenge, and for an order that is sent again after a crash. */
  async forgetSoon(orderId: string): Promise<void> {
    const expiresAt = plus(this.clock.now(), CARD_MEMORY);
    await this.fingerprints.update(orderId, (body) => body, { expiresAt });
  }

  /** Forgets the card of a charge that was closed without a decision of its holder. */
  async forget(orderId: string): Promise<void> {
    await this.fingerprints.delete(orderId);
  }

  private fingerprintOf(card: Card): string {
    return createHmac('sha256', this.secret).update(digitsOf(card)).digest('base64url');
  }
}
