import { Module } from '@nestjs/common';
import { Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, Ids } from '#kernel';
import { PaymentProcessor } from '#payment';
import { ChallengeSlots } from './challenge-slots.js';
import { ChallengeCompletion } from './complete-challenge.js';
import { DecideChallengeHandler } from './decide-challenge.handler.js';
import { GetChallengeHandler } from './get-challenge.handler.js';
import { GetOrderHandler } from './get-order.handler.js';
import { GetReceiptHandler } from './get-receipt.handler.js';
import { ListOrdersHandler } from './list-orders.handler.js';
import { MandateEnding } from './mandate-ending.js';
import { OrderOfHolderHandler } from './order-of-holder.handler.js';
import { OrdersOfHolderHandler } from './orders-of-holder.handler.js';
import { OrderSettings } from './order-settings.js';
import { OrderToCompleteHandler } from './order-to-complete.handler.js';
import { OrdersController } from './orders.controller.js';
import { PlaceOrderHandler } from './place-order.handler.js';
import { RefusedCards } from './refused-cards.js';
import { RevokeMandateHandler } from './revoke-mandate.handler.js';
import { Settlement } from './settlement.js';
import { TicketStock } from './ticket-stock.js';
import { WaitingChallengesHandler } from './waiting-challenges.handler.js';
import { Walk } from './walk.js';

@Module({
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
    {
      provide: TicketStock,
      inject: [Aggregates, Ids],
      useFactory: (...parts: ConstructorParameters<typeof TicketStock>) => new TicketStock(...parts),
    },
    {
      provide: ChallengeSlots,
      inject: [Documents, OrderSettings],
      useFactory: (documents: Documents, { openChallenges }: OrderSettings) =>
        new ChallengeSlots(documents, openChallenges),
    },
    {
      provide: RefusedCards,
      inject: [Documents, Clock, OrderSettings],
      useFactory: (documents: Documents, clock: Clock, { refusedCards }: OrderSettings) =>
        new RefusedCards(documents, clock, refusedCards),
    },
    {
      provide: Settlement,
      inject: [Aggregates, PaymentProcessor, TicketStock, ChallengeSlots],
      useFactory: (...parts: ConstructorParameters<typeof Settlement>) => new Settlement(...parts),
    },
    {
      provide: MandateEnding,
      inject: [Aggregates, Settlement, Clock],
      useFactory: (...parts: ConstructorParameters<typeof MandateEnding>) => new MandateEnding(...parts),
    },
    {
      provide: Walk,
      inject: [Aggregates, Documents, PaymentProcessor, ChallengeSlots, Clock, OrderSettings],
      useFactory: (...parts: ConstructorParameters<typeof Walk>) => new Walk(...parts),
    },
    {
      provide: ChallengeCompletion,
      inject: [Aggregates, PaymentProcessor, Settlement, Clock, OrderSettings],
      useFactory: (...parts: ConstructorParameters<typeof ChallengeCompletion>) => new ChallengeCompletion(...parts),
    },
  ],
  exports: [MandateEnding, Settlement],
})
export class OrderModule {}
