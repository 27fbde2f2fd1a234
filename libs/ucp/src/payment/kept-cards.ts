import { z } from 'zod';
import type { Card } from '#checkout';
import {
  Collection,
  type CollectionSpec,
  type Document,
  type Documents,
  resealed,
  seal,
  sealedSecret,
  type SealingKeys,
  unseal,
} from '#documents';
import { DomainError, type Instant } from '#kernel';
import { publicKey } from '../ap2/sd-jwt.js';

/** Cards that travellers keep for platforms: each behind a token, or for mandates of AP2. */
export const KEPT_CARDS: CollectionSpec = {
  name: 'payment-tokens',
  indexes: [
    { fields: ['agent', 'createdAt'] },
    { fields: ['wallet', 'createdAt'] },
    { fields: ['holder'] },
    { fields: ['slot'], unique: true },
  ],
};

const keptCard = z.object({
  holder: z.string(),
  last4: z.string(),
  /** The card, under KEY_ENCRYPTION_KEY. */
  sealed: sealedSecret,
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
  /** Of a token: its agent, alone and with its traveller for the list of an agent's, and its mandate. */
  clientId: z.string().optional(),
  agent: z.string().optional(),
  mandateId: z.string().optional(),
  /** Of a traveller's wallet: whose it is, for its list, and the key that signs mandates, where there is one. */
  wallet: z.string().optional(),
  key: publicKey.optional(),
  /** Its place among those of its agent or wallet: there are so many and no more. Absent: from before there were any. */
  slot: z.string().optional(),
});
type StoredCard = z.infer<typeof keptCard>;
export type KeptCard = Document<StoredCard>;

/** What a card is kept for. */
type Purpose = Omit<StoredCard, 'last4' | 'sealed' | 'lastUsedAt' | 'slot'>;

/** How many there are of an agent or in a wallet, and those that are. */
interface Places {
  readonly most: number;
  readonly taken: readonly KeptCard[];
}

const card = z.object({ cardNumber: z.string(), expiry: z.string(), cvc: z.string() });

const nameOf = (id: string): string => `payment token ${id}`;

/** Cards as they are kept: sealed. Methods throw DocumentsUnavailable. */
export class KeptCards {
  readonly stored: Collection<StoredCard>;

  constructor(
    documents: Documents,
    private readonly sealing: SealingKeys,
  ) {
    this.stored = new Collection(documents, KEPT_CARDS, keptCard);
  }

  /**
   * Keeps a card in a place that is free; returns false where something is kept under this id. `until`: when it ends by itself.
   * @throws DomainError `rate_limited` where none is
   */
  async keep(id: string, kept: Card, purpose: Purpose, { most, taken }: Places, until?: Instant): Promise<boolean> {
    const sealed = seal(Buffer.from(JSON.stringify(kept)), this.sealing, nameOf(id));
    const last4 = kept.cardNumber.replace(/\D/g, '').slice(-4);
    const body = { ...purpose, last4, sealed };
    const slots = new Set(taken.map(({ body: { slot } }) => slot));
    const left = most - taken.filter(({ body: { slot } }) => slot === undefined).length;
    for (let n = 0; n < left; n += 1) {
      const slot = `${purpose.agent ?? purpose.wallet} ${n}`;
      if (slots.has(slot)) continue;
      if (await this.stored.insertIfAbsent(id, { ...body, slot }, until === undefined ? {} : { expiresAt: until }))
        return true;
      if (await this.stored.get(id)) return false;
    }
    throw new DomainError('rate_limited', { limit: most });
  }

  /** Writes down that a card was used; returns it, null where it was removed meanwhile. @throws SealBroken */
  async use({ id, body: { sealed } }: KeptCard, at: Instant): Promise<Card | null> {
    const opened = card.parse(JSON.parse(unseal(sealed, this.sealing, nameOf(id)).toString()));
    const used = await this.stored.update(id, (body) => body && { ...body, lastUsedAt: at });
    return used && opened;
  }

  /** Deletes those of everybody; returns how many. */
  forgetEvery(): Promise<number> {
    return this.stored.clear();
  }

  /** Erases those of a traveller; returns how many. */
  forget(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }

  /** Encrypts the cards by the first of the keys; returns how many were not. Safe to repeat. @throws SealBroken */
  async reencrypt(): Promise<number> {
    await this.stored.prepare();
    let changed = 0;
    for await (const { id } of this.stored.every()) {
      const written = await this.stored.update(id, (body) => {
        const sealed = body && resealed(body.sealed, this.sealing, nameOf(id));
        return body && sealed ? { ...body, sealed } : null;
      });
      if (written) changed += 1;
    }
    return changed;
  }
}
