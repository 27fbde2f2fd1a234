import type { Documents, Leases, ReadModelStore } from '#documents';
import type { Aggregates } from '#event-store';
import type { Clock, Ids } from '#kernel';
import type { PaymentProcessor } from '#payment';
import type { ReadModels } from '#read-models';
import { ChallengeSlots } from '../challenge-slots.js';
import { ChallengeCompletion } from '../complete-challenge.js';
import { DecideChallengeHandler } from '../decide-challenge.handler.js';
import { MandateEnding } from '../mandate-ending.js';
import type { OrderSettings } from '../order-settings.js';
import { PlaceOrderHandler } from '../place-order.handler.js';
import { RefusedCards } from '../refused-cards.js';
import { RevokeMandateHandler } from '../revoke-mandate.handler.js';
import { Settlement } from '../settlement.js';
import { CheckoutRecovery } from '../checkout-recovery.js';
import { TicketStock } from '../ticket-stock.js';
import { Walk } from '../walk.js';

export { orderDecider } from '../order.decider.js';
export type { PlacedOrder } from '../order.state.js';
export type { OrderView } from '../order.view.js';
export { type Buyer, PlaceOrder } from '../place-order.command.js';
export { TicketStock } from '../ticket-stock.js';

/** What the room of orders stands on, in one process. */
export interface OrderRoomParts {
  readonly aggregates: Aggregates;
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly readModels: ReadModels;
  readonly leases: Leases;
  readonly processor: PaymentProcessor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: OrderSettings;
  /** Told of what a settler could not do. */
  readonly onError: (id: string, error: unknown) => void;
}

/** The room of orders as one process has it, without a bus: for tests of several processes in one. */
export const orderRoom = (parts: OrderRoomParts) => {
  const { aggregates, documents, readModels, processor, clock, ids, settings } = parts;
  const slots = new ChallengeSlots(documents, settings.openChallenges);
  const settlement = new Settlement(aggregates, processor, new TicketStock(aggregates, ids), slots);
  const ending = new MandateEnding(aggregates, settlement, clock);
  const walk = new Walk(aggregates, documents, processor, slots, clock, settings);
  const completion = new ChallengeCompletion(aggregates, processor, settlement, clock, settings);
  const refusedCards = new RefusedCards(documents, clock, settings.refusedCards);
  return {
    placeOrder: new PlaceOrderHandler(
      aggregates,
      processor,
      walk,
      completion,
      settlement,
      refusedCards,
      readModels,
      clock,
      settings,
    ),
    revokeMandate: new RevokeMandateHandler(aggregates, ending, readModels, clock),
    decideChallenge: new DecideChallengeHandler(aggregates, processor, settlement),
    settlement,
    ending,
    /** A settler with an empty memory. */
    newSettler: () => new CheckoutRecovery({ ...parts, settlement, ending }),
  };
};
