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
import { hashOf, newSecret } from '#identity';
import { DomainError, type Instant, type Party, partyKey } from '#kernel';

/** Tokens that travellers made for platforms. The id of each is its SHA-256: what is stored pays for nothing. */
export const PAYMENT_TOKENS: CollectionSpec = {
  name: 'payment-tokens',
  indexes: [{ fields: ['agent', 'createdAt'] }, { fields: ['holder'] }],
};

const storedToken = z.object({
  holder: z.string(),
  clientId: z.string(),
  /** Both, for the list of an agent's. */
  agent: z.string(),
  mandateId: z.string(),
  last4: z.string(),
  /** The card, under KEY_ENCRYPTION_KEY. */
  sealed: sealedSecret,
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
});
type StoredToken = z.infer<typeof storedToken>;
export type KeptToken = Document<StoredToken>;

const card = z.object({ cardNumber: z.string(), expiry: z.string(), cvc: z.string() });

/** How many an agent of a traveller has at once. */
const MOST = 10;
const FORM = /^alct_[A-Za-z0-9_-]{43}$/;

const nameOf = (id: string): string => `payment token ${id}`;

/** What a token is made of. */
interface NewToken {
  readonly party: Party;
  readonly mandateId: string;
  readonly card: Card;
  readonly at: Instant;
  /** When it ends by itself. */
  readonly until: Instant;
}

/** Tokens as they are kept: by their hashes, with their cards sealed. Methods throw DocumentsUnavailable. */
export class TravellerTokens {
  private readonly stored: Collection<StoredToken>;

  constructor(
    documents: Documents,
    private readonly sealing: SealingKeys,
  ) {
    this.stored = new Collection(documents, PAYMENT_TOKENS, storedToken);
  }

  /** Those for an agent of a traveller, the newest first. */
  of(party: Party): Promise<readonly KeptToken[]> {
    return this.stored.find({
      where: [{ field: 'agent', equals: partyKey(party) }],
      sort: { field: 'createdAt', direction: 'descending' },
      limit: MOST,
    });
  }

  /** Returns the token, which is kept nowhere. @throws DomainError `rate_limited` where there are as many as there may be */
  async make({ party, mandateId, card, at, until }: NewToken): Promise<string> {
    if ((await this.of(party)).length >= MOST) throw new DomainError('rate_limited', { limit: MOST });
    const token = `alct_${newSecret()}`;
    const id = hashOf(token);
    const sealed = seal(Buffer.from(JSON.stringify(card)), this.sealing, nameOf(id));
    const last4 = card.cardNumber.replace(/\D/g, '').slice(-4);
    const { holder, clientId } = party;
    const body = { holder, clientId, agent: partyKey(party), mandateId, last4, sealed, createdAt: at };
    await this.stored.insert(id, body, { expiresAt: until });
    return token;
  }

  /** The token of this text, found by its hash alone; null: there is none. */
  async found(token: string): Promise<KeptToken | null> {
    return FORM.test(token) ? this.stored.get(hashOf(token)) : null;
  }

  /** Writes down that a token was used; returns its card, null where it was removed meanwhile. @throws SealBroken */
  async use({ id, body: { sealed } }: KeptToken, at: Instant): Promise<Card | null> {
    const opened = card.parse(JSON.parse(unseal(sealed, this.sealing, nameOf(id)).toString()));
    const used = await this.stored.update(id, (body) => body && { ...body, lastUsedAt: at });
    return used && opened;
  }

  /** Removes a token of this agent of a traveller at once. */
  async remove(party: Party, id: string): Promise<void> {
    const found = await this.stored.get(id);
    if (found?.body.agent === partyKey(party)) await this.stored.delete(id);
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
