import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type BaseUrls, listOf, MoneyView } from '#http';
import type { ErrorCode } from '#kernel';
import { HasMetadata, type Metadata } from '#metadata';
import type { PlacedOrder } from './order.decider.js';

/** Order states of the interface; no operation cancels, so `cancelled` is reserved (docs/decisions.md, Order). */
export const ORDER_STATUSES = ['pending', 'paid', 'cancelled', 'failed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** An order as the interface shows it (docs/interface.md, Order). */
@ApiSchema({ name: 'Order' })
export class OrderView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ORDER_STATUSES })
  readonly status: OrderStatus;

  @ApiProperty({ example: 'AL4012' })
  readonly flightNumber: string;

  @ApiProperty({ example: 'Clássica' })
  readonly fareName: string;

  @ApiProperty({ type: MoneyView })
  readonly grandTotal: MoneyView;

  @ApiProperty({ type: String, nullable: true, example: '9770000000014' })
  readonly ticketCode: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly createdAt: string;

  @ApiProperty({ format: 'uri' })
  readonly url: string;

  @ApiPropertyOptional({
    type: String,
    description: 'Só de um pedido que falhou: o código do erro que diz por quê.',
    example: 'payment_declined',
  })
  readonly failure?: ErrorCode;

  @HasMetadata()
  readonly metadata: Metadata;
}

/** One page of the holder's orders. */
export const OrderListView = listOf(OrderView, 'OrderList');

export const orderView = (order: PlacedOrder, urls: BaseUrls, metadata: Metadata = {}): OrderView => {
  const { orderId, line, total } = order.checkout;
  return {
    id: orderId,
    status: order.kind,
    flightNumber: line.flightNumber,
    fareName: line.fareName,
    grandTotal: total,
    ticketCode: order.kind === 'paid' ? order.ticketCode : null,
    createdAt: order.placedAt,
    url: orderUrl(orderId, urls),
    ...(order.kind === 'failed' && { failure: order.failure }),
    metadata,
  };
};

/** `{base_url}/orders/{id}` */
export const orderUrl = (orderId: string, { base }: BaseUrls): string => `${base}/orders/${orderId}`;

/** The page where the holder decides: `{site_url}/desafios/{id}`; a challenge has its order's id. */
export const challengeUrl = (orderId: string, { site }: BaseUrls): string => `${site}/desafios/${orderId}`;
