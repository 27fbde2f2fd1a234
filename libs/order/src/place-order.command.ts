import { Command } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { Context, Money } from '#kernel';
import type { Card } from '#payment';
import type { OrderView } from './order.view.js';

/** Who flies or pays, as the agent tells it; kept apart from the log, so that it can be erased (docs/decisions.md, Streams and events). */
export interface Buyer {
  readonly name?: string;
  readonly document?: string;
}

/** What an agent orders. `mandateId` undefined: none was named. */
export interface OrderRequest {
  readonly bookingId: string;
  readonly mandateId: string | undefined;
  readonly buyer: Buyer | undefined;
  readonly card: Card;
  /** What the agent thinks the order costs; undefined: it takes what comes. */
  readonly expectedTotal: Money | undefined;
}

/** Confirms a booking: charges it and issues the ticket. `orderId` is minted by the caller. */
export class PlaceOrder extends Command<OrderView> {
  constructor(
    readonly orderId: string,
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly request: OrderRequest,
    readonly urls: BaseUrls,
    readonly context: Context,
  ) {
    super();
  }
}
