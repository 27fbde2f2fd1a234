import { Module } from '@nestjs/common';
import { CheckoutModule } from './checkout.module.js';
import { ChallengeCompletion } from './complete-challenge.js';
import { DecideChallengeHandler } from './decide-challenge.handler.js';
import { GetChallengeHandler } from './get-challenge.handler.js';
import { GetOrderHandler } from './get-order.handler.js';
import { GetReceiptHandler } from './get-receipt.handler.js';
import { ListOrdersHandler } from './list-orders.handler.js';
import { OrderOfHolderHandler } from './order-of-holder.handler.js';
import { OrdersOfHolderHandler } from './orders-of-holder.handler.js';
import { OrderToCompleteHandler } from './order-to-complete.handler.js';
import { OrdersController } from './orders.controller.js';
import { PlaceOrderHandler } from './place-order.handler.js';
import { RefusedCards } from './refused-cards.js';
import { RevokeMandateHandler } from './revoke-mandate.handler.js';
import { WaitingChallengesHandler } from './waiting-challenges.handler.js';
import { Walk } from './walk.js';

@Module({
  imports: [CheckoutModule],
  controllers: [OrdersController],
  providers: [
    DecideChallengeHandler,
    GetChallengeHandler,
    GetOrderHandler,
    GetReceiptHandler,
    ListOrdersHandler,
    OrderOfHolderHandler,
    OrderToCompleteHandler,
    OrdersOfHolderHandler,
    WaitingChallengesHandler,
    PlaceOrderHandler,
    RevokeMandateHandler,
    ChallengeCompletion,
    RefusedCards,
    Walk,
  ],
  exports: [CheckoutModule],
})
export class OrderModule {}
