import type { Ids } from '#kernel';
import type { PaymentProcessor } from '#payment';
import { ChallengeSlots } from './challenge-slots.js';
import { MandateEnding } from './mandate-ending.js';
import { Settlement } from './settlement.js';
import { Settler, type SettlerParts } from './settler.js';
import { TicketStock } from './ticket-stock.js';

/** What a settler stands on where there are no rooms to take its use cases from. */
export interface SettlerGround extends Omit<SettlerParts, 'settlement' | 'ending'> {
  readonly processor: PaymentProcessor;
  readonly ids: Ids;
}

/** A settler with use cases of its own, for a process without the rooms and their doors. */
export const settlerOn = (ground: SettlerGround): Settler => {
  const { aggregates, documents, processor, clock, ids, settings } = ground;
  const slots = new ChallengeSlots(documents, settings.openChallenges);
  const settlement = new Settlement(aggregates, processor, new TicketStock(aggregates, ids), slots);
  return new Settler({ ...ground, settlement, ending: new MandateEnding(aggregates, settlement, clock) });
};
