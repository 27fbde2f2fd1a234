import { Module } from '@nestjs/common';
import { MandateModule } from '#mandate';
import { Challenges } from './challenge/challenges.js';
import { DecideChallengeHandler } from './challenge/decide-challenge.js';
import { ChallengeSlots } from './checkout/challenge-slots.js';
import { CheckoutDependencies } from './checkout/checkout-dependencies.js';
import { RefusedCards } from './checkout/refused-cards.js';
import { Runner } from './checkout/runner.js';
import { TicketStock } from './checkout/ticket-stock.js';
import { OrdersController } from './orders.controller.js';
import { Orders } from './orders/orders.js';
import { MandateChoice } from './place-order/choose-mandate.js';
import { PlaceOrderHandler } from './place-order/place-order.js';
import { ReceiptProofs } from './receipt/receipt-proofs.js';
import { CheckoutRecovery } from './recovery/checkout-recovery.js';
import { EndMandatesHandler, SetSpendingCapHandler } from './recovery/end-mandates.js';
import { PauseMandateHandler, RevokeMandateHandler } from './recovery/end-mandate.js';

/** The checkout saga, and the worker that finishes what was left open: for every process, with or without HTTP. */
@Module({
  providers: [TicketStock, RefusedCards, ChallengeSlots, CheckoutDependencies, CheckoutRecovery],
  exports: [CheckoutDependencies, CheckoutRecovery],
})
export class CheckoutModule {}

@Module({
  imports: [CheckoutModule, MandateModule],
  controllers: [OrdersController],
  providers: [
    Challenges,
    DecideChallengeHandler,
    EndMandatesHandler,
    MandateChoice,
    Orders,
    PauseMandateHandler,
    PlaceOrderHandler,
    ReceiptProofs,
    RevokeMandateHandler,
    Runner,
    SetSpendingCapHandler,
  ],
  exports: [CheckoutModule, Challenges, Orders],
})
export class OrderModule {}
