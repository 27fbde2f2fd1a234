import type { Ids } from '#kernel';
import type { PaymentProcessor } from '#payment';
import { ChallengeSlots } from './challenge-slots.js';
import { MandateEnding } from './mandate-ending.js';
import { Settlement } from './settlement.js';
import { CheckoutRecovery, type CheckoutRecoveryDependencies } from './checkout-recovery.js';
import { TicketStock } from './ticket-stock.js';

/** What a settler stands on where there are no rooms to take its use cases from. */
export interface CheckoutRecoveryGround extends Omit<CheckoutRecoveryDependencies, 'settlement' | 'ending'> {
  readonly processor: PaymentProcessor;
  readonly ids: Ids;
}

/** A settler with use cases of its own, for a process without the rooms and their doors. */
export const checkoutRecoveryOn = (ground: CheckoutRecoveryGround): CheckoutRecovery => {
  const { aggregates, documents, processor, clock, ids, settings } = ground;
  const slots = new ChallengeSlots(documents, settings.openChallenges);
  const settlement = new Settlement(aggregates, processor, new TicketStock(aggregates, ids), slots);
  return new CheckoutRecovery({ ...ground, settlement, ending: new MandateEnding(aggregates, settlement, clock) });
};
