import { Injectable } from '@nestjs/common';
import { Collection, type CollectionSpec, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, type Ids } from '#kernel';
import { PaymentProcessor } from '#payment';
import { z } from 'zod';
import { ChallengeSlots } from './challenge-slots.js';
import { CheckoutSettings } from './checkout-settings.js';
import { RefusedCards } from './refused-cards.js';
import { TicketStock } from './ticket-stock.js';

/** Buyers' names and documents by order id, apart from the log, so that they can be erased (docs/decisions.md, Streams and events). */
export const BUYERS: CollectionSpec = { name: 'buyers', indexes: [] };

const buyerDocument = z.object({ name: z.string().optional(), document: z.string().optional() }).readonly();

/** Who flies or pays, as the agent says. */
export type Buyer = z.infer<typeof buyerDocument>;

/** What the functions of the checkout work with: the saga itself, challenges, and the end of mandates. */
@Injectable()
export class CheckoutDependencies {
  readonly buyers: Collection<Buyer>;

  constructor(
    readonly aggregates: Aggregates,
    readonly processor: PaymentProcessor,
    readonly tickets: TicketStock,
    readonly refusedCards: RefusedCards,
    readonly challengeSlots: ChallengeSlots,
    readonly clock: Clock,
    readonly settings: CheckoutSettings,
    documents: Documents,
  ) {
    this.buyers = new Collection(documents, BUYERS, buyerDocument);
  }
}

/** What the functions of the checkout work with, in a program without Nest. */
export const checkoutsOn = (
  aggregates: Aggregates,
  processor: PaymentProcessor,
  { documents, clock, ids }: { readonly documents: Documents; readonly clock: Clock; readonly ids: Ids },
  settings: CheckoutSettings,
): CheckoutDependencies =>
  new CheckoutDependencies(
    aggregates,
    processor,
    new TicketStock(aggregates, ids),
    new RefusedCards(documents, clock, settings),
    new ChallengeSlots(documents, clock, settings),
    clock,
    settings,
    documents,
  );
