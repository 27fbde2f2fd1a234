import { Injectable } from '@nestjs/common';
import { type CollectionSpec, Documents, DuplicateDocument } from '#documents';
import type { Instant } from '#kernel';
import { OrderSettings } from './order-settings.js';

/** The places of each holder for challenges that wait: `<holder>.<place>`. */
export const CHALLENGE_SLOTS: CollectionSpec = { name: 'challenge-slots', indexes: [] };

/**
 * Bounds how many challenges of one holder wait at once (docs/consistency.md, rule 10). A place is a document, so that of
 * orders at the same moment no more get one than there are; it frees itself when the challenge's time is over.
 */
@Injectable()
export class ChallengeSlots {
  constructor(
    private readonly documents: Documents,
    private readonly settings: OrderSettings,
  ) {}

  /** Takes a place for an order's challenge; answers false where all are taken. */
  async take(holder: string, orderId: string, expiresAt: Instant): Promise<boolean> {
    if (this.settings.openChallenges === 0) return true;
    for (const id of this.ids(holder)) {
      try {
        await this.documents.insert(CHALLENGE_SLOTS.name, id, { orderId }, { expiresAt });
        return true;
      } catch (error) {
        if (!(error instanceof DuplicateDocument)) throw error;
      }
    }
    return false;
  }

  /** Frees the place of an order whose challenge is over. */
  async free(holder: string, orderId: string): Promise<void> {
    for (const id of this.ids(holder)) {
      const place = await this.documents.get<{ readonly orderId: string }>(CHALLENGE_SLOTS.name, id);
      if (place?.body.orderId === orderId) await this.documents.delete(CHALLENGE_SLOTS.name, id, place.version);
    }
  }

  private ids(holder: string): readonly string[] {
    return Array.from({ length: this.settings.openChallenges }, (_, place) => `${holder}.${place}`);
  }
}
