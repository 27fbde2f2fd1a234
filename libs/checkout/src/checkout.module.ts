import { Module } from '@nestjs/common';
import { ChallengeSlots } from './challenge-slots.js';
import { CheckoutDependencies } from './checkout-dependencies.js';
import { CheckoutRecovery } from './recovery/checkout-recovery.js';
import { RefusedCards } from './refused-cards.js';
import { Runner } from './runner.js';
import { TicketStock } from './ticket-stock.js';

/** The checkout saga, and the worker that finishes what was left open: for every process, with or without HTTP. */
@Module({
  providers: [TicketStock, RefusedCards, ChallengeSlots, CheckoutDependencies, CheckoutRecovery, Runner],
  exports: [CheckoutDependencies, CheckoutRecovery, Runner],
})
export class CheckoutModule {}
