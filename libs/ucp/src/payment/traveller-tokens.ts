import { Injectable } from '@nestjs/common';
import type { Card } from '#checkout';
import { hashOf, newSecret } from '#identity';
import { type Instant, type Party, partyKey } from '#kernel';
import { type KeptCard, KeptCards } from './kept-cards.js';

/** How many an agent of a traveller has at once. */
const MOST = 10;
const FORM = /^alct_[A-Za-z0-9_-]{43}$/;

/** What a token is made of. */
interface NewToken {
  readonly party: Party;
  readonly mandateId: string;
  readonly card: Card;
  readonly at: Instant;
  /** When it ends by itself. */
  readonly until: Instant;
}

/** A token as it is kept: its id is its SHA-256, so that what is stored pays for nothing. */
export type KeptToken = KeptCard & { readonly body: Party & { readonly mandateId: string } };

const isToken = (kept: KeptCard): kept is KeptToken => kept.body.mandateId !== undefined;

/** Tokens that travellers made for platforms. Methods throw DocumentsUnavailable. */
@Injectable()
export class TravellerTokens {
  constructor(private readonly cards: KeptCards) {}

  /** Those for an agent of a traveller, the newest first. */
  async of(party: Party): Promise<readonly KeptToken[]> {
    const found = await this.cards.stored.find({
      where: [{ field: 'agent', equals: partyKey(party) }],
      sort: { field: 'createdAt', direction: 'descending' },
      limit: MOST,
    });
    return found.filter(isToken);
  }

  /** Returns the token, which is kept nowhere. @throws DomainError `rate_limited` where there are as many as there may be */
  async make({ party, mandateId, card, at, until }: NewToken): Promise<string> {
    const taken = await this.of(party);
    const token = `alct_${newSecret()}`;
    const { holder, clientId } = party;
    const purpose = { holder, clientId, agent: partyKey(party), mandateId, createdAt: at };
    await this.cards.keep(hashOf(token), card, purpose, { most: MOST, taken }, until);
    return token;
  }

  /** The token of this text, found by its hash alone; null: there is none. */
  async found(token: string): Promise<KeptToken | null> {
    const kept = FORM.test(token) ? await this.cards.stored.get(hashOf(token)) : null;
    return kept && isToken(kept) ? kept : null;
  }

  /** Writes down that a token was used; returns its card, null where it was removed meanwhile. @throws SealBroken */
  use(kept: KeptToken, at: Instant): Promise<Card | null> {
    return this.cards.use(kept, at);
  }

  /** Removes a token of this agent of a traveller at once. */
  async remove(party: Party, id: string): Promise<void> {
    const found = await this.cards.stored.get(id);
    if (found?.body.agent === partyKey(party)) await this.cards.stored.delete(id);
  }
}
