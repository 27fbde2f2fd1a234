import { Injectable } from '@nestjs/common';
import { Collection, type CollectionSpec, Documents } from '#documents';
import { Aggregates, EventStore } from '#event-store';
import { Clock, Ids } from '#kernel';
import { PaymentProcessor } from './payment/payment-processor.port.js';
import { z } from 'zod';
import { CancellationQuotes } from './cancellation-quotes.js';
import { ChallengeSlots } from './challenge-slots.js';
import { CheckoutSettings } from './checkout-settings.js';
import { RefusedCards } from './refused-cards.js';
import { OrderOutcomes } from './order-outcomes.js';
import { TicketStock } from './ticket-stock.js';

/** Buyers' names and documents by order id, apart from the log, so that they can be erased (docs/decisions.md, Streams and events). */
export const BUYERS: CollectionSpec = { name: 'buyers', indexes: [] };

const buyerDocument = z.object({ name: z.string().optional(), document: z.string().optional() }).readonly();

export type Buyer = z.infer<typeof buyerDocument>;

/** What the functions of the checkout work with: the saga itself, challenges, and the end of mandates. One a process. */
@Injectable()
export class Checkouts {
  readonly tickets: TicketStock;
  readonly refusedCards: RefusedCards;
  readonly challengeSlots: ChallengeSlots;
  readonly buyers: Collection<Buyer>;
  readonly cancellations: CancellationQuotes;

  constructor(
    readonly aggregates: Aggregates,
    readonly processor: PaymentProcessor,
    documents: Documents,
    readonly clock: Clock,
    ids: Ids,
    readonly settings: CheckoutSettings,
    readonly events: EventStore,
    readonly outcomes: OrderOutcomes,
  ) {
    this.tickets = new TicketStock(aggregates, ids);
    this.refusedCards = new RefusedCards(documents, clock, settings);
    this.challengeSlots = new ChallengeSlots(documents, clock, settings);
    this.cancellations = new CancellationQuotes(documents, clock);
    this.buyers = new Collection(documents, BUYERS, buyerDocument);
  }
}
