import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock, Ids } from '#kernel';
import { PaymentProcessor } from '#payment';
import { GetOrderHandler } from './get-order.handler.js';
import { GetReceiptHandler } from './get-receipt.handler.js';
import { ListOrdersHandler } from './list-orders.handler.js';
import { OrdersController } from './orders.controller.js';
import { PlaceOrderHandler } from './place-order.handler.js';
import { RevokeMandateHandler } from './revoke-mandate.handler.js';
import { Settlement } from './settlement.js';
import { TicketStock } from './ticket-stock.js';
import { Walk } from './walk.js';

@Module({
  imports: [CqrsModule],
  controllers: [OrdersController],
  providers: [
    GetOrderHandler,
    GetReceiptHandler,
    ListOrdersHandler,
    PlaceOrderHandler,
    RevokeMandateHandler,
    {
      provide: TicketStock,
      inject: [Aggregates, Ids],
      useFactory: (...parts: ConstructorParameters<typeof TicketStock>) => new TicketStock(...parts),
    },
    {
      provide: Settlement,
      inject: [Aggregates, PaymentProcessor, TicketStock],
      useFactory: (...parts: ConstructorParameters<typeof Settlement>) => new Settlement(...parts),
    },
    {
      provide: Walk,
      inject: [Aggregates, Documents, PaymentProcessor, Clock],
      useFactory: (...parts: ConstructorParameters<typeof Walk>) => new Walk(...parts),
    },
  ],
  exports: [Settlement],
})
export class OrderModule {}
