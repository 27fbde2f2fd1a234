import { Module } from '@nestjs/common';
import { OrderToCompleteHandler } from './challenge/complete-challenge.js';
import { DecideChallengeHandler } from './challenge/decide-challenge.js';
import { GetChallengeHandler } from './challenge/get-challenge.js';
import { WaitingChallengesHandler } from './challenge/waiting-challenges.js';
import { ChallengeSlots } from './checkout/challenge-slots.js';
import { CheckoutDependencies } from './checkout/checkout-dependencies.js';
import { RefusedCards } from './checkout/refused-cards.js';
import { Runner } from './checkout/runner.js';
import { TicketStock } from './checkout/ticket-stock.js';
import { OrdersController } from './orders.controller.js';
import { GetBuyerNameHandler } from './orders/get-buyer-name.js';
import { GetOrderHandler } from './orders/get-order.js';
import { ListOrdersHandler } from './orders/list-orders.js';
import { SpentThisMonthHandler } from './orders/spent-this-month.js';
import { MandateChoice } from './place-order/choose-mandate.js';
import { PlaceOrderHandler } from './place-order/place-order.js';
import { GetReceiptHandler } from './receipt/get-receipt.js';
import { GetReceiptProofHandler } from './receipt/get-receipt-proof.js';
import { CheckoutRecovery } from './recovery/checkout-recovery.js';
import { EndMandatesHandler } from './recovery/end-mandates.js';
import { PauseMandateHandler } from './recovery/pause-mandate.handler.js';
import { RevokeMandateHandler } from './recovery/revoke-mandate.handler.js';
import { SetSpendingCapHandler } from './recovery/set-spending-cap.handler.js';

/** The checkout saga, and the worker that finishes what was left open: for every process, with or without HTTP. */
@Module({
  providers: [TicketStock, RefusedCards, ChallengeSlots, CheckoutDependencies, CheckoutRecovery],
  exports: [CheckoutDependencies, CheckoutRecovery],
})
export class CheckoutModule {}

@Module({
  imports: [CheckoutModule],
  controllers: [OrdersController],
  providers: [
    DecideChallengeHandler,
    EndMandatesHandler,
    GetBuyerNameHandler,
    GetChallengeHandler,
    GetOrderHandler,
    GetReceiptHandler,
    GetReceiptProofHandler,
    ListOrdersHandler,
    MandateChoice,
    OrderToCompleteHandler,
    PauseMandateHandler,
    PlaceOrderHandler,
    RevokeMandateHandler,
    Runner,
    SetSpendingCapHandler,
    SpentThisMonthHandler,
    WaitingChallengesHandler,
  ],
  exports: [CheckoutModule],
})
export class OrderModule {}
