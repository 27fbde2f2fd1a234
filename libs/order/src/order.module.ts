import { Module } from '@nestjs/common';
import { BookingModule } from '#booking';
import { CheckoutModule } from '#checkout';
import { MandateModule } from '#mandate';
import { CancelOrderHandler, Cancellations } from './cancel-order/cancel-order.js';
import { Challenges, DecideChallengeHandler } from './challenge/challenges.js';
import { OrdersController } from './orders.controller.js';
import { Orders } from './orders/orders.js';
import { MandateChoice } from './place-order/choose-mandate.js';
import { PlaceOrderHandler } from './place-order/place-order.js';
import { ReceiptProofs } from './receipt/receipt-proofs.js';

@Module({
  imports: [BookingModule, CheckoutModule, MandateModule],
  controllers: [OrdersController],
  providers: [
    Cancellations,
    CancelOrderHandler,
    Challenges,
    DecideChallengeHandler,
    MandateChoice,
    Orders,
    PlaceOrderHandler,
    ReceiptProofs,
  ],
  exports: [Cancellations, Challenges, Orders, ReceiptProofs],
})
export class OrderModule {}
