import { Controller, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AcceptsIdempotencyKey,
  API,
  ApiErrors,
  createdOf,
  CurrentCaller,
  CurrentRequest,
  IdempotentRequests,
  JsonBody,
  pageOf,
  PrivateRead,
  QueryString,
  type RequestContext,
  RequireScopes,
  WithoutWarnings,
} from '#http';
import { type Caller, CHARGE_SCOPES } from '#kernel';
import { Mandates } from '#mandate';
import type { FastifyReply } from 'fastify';
import { Cancellations } from './cancel-order/cancel-order.js';
import {
  cancelOperation,
  CancellationView,
  CreditNoteView,
  creditNoteView,
  quoteOperation,
} from './cancel-order/cancellation.view.js';
import { ListOrdersDto, OrderListView, OrderView, orderView, PlaceOrderDto } from './order.dto.js';
import { Orders } from './orders/orders.js';
import { orderOperation, readOrder } from './place-order/order-operation.js';
import { ReceiptProofs } from './receipt/receipt-proofs.js';
import { ReceiptView, receiptView } from './receipt/receipt.view.js';

/** Orders and their receipts (docs/interface.md, endpoints 10 and 11, and the additional reads). */
@ApiTags('orders')
@Controller(`${API}/orders`)
export class OrdersController {
  constructor(
    readonly commands: CommandBus,
    readonly orders: Orders,
    readonly mandates: Mandates,
    readonly cancellations: Cancellations,
    private readonly proofs: ReceiptProofs,
    private readonly idempotent: IdempotentRequests,
  ) {}

  @Post()
  @HttpCode(201)
  @RequireScopes(...CHARGE_SCOPES)
  @AcceptsIdempotencyKey()
  @ApiOperation({ operationId: 'placeOrder', summary: 'Confirma uma reserva: cobra e emite o bilhete' })
  @ApiCreatedResponse({ type: OrderView })
  @ApiErrors(
    'payment_declined',
    'payment_insufficient_funds',
    'payment_card_expired',
    'payment_card_invalid',
    'payment_challenge_required',
    'payment_challenge_failed',
    'payment_not_completed',
    'mandate_revoked',
    'mandate_expired',
    'mandate_paused',
    'agents_paused',
    'mandate_pending',
    'booking_already_ordered',
    'order_in_progress',
    'offer_expired',
    'invalid_body',
    'invalid_booking',
    'invalid_mandate',
    'invalid_payment',
    'invalid_travellers',
    'invalid_metadata',
    'invalid_fare',
    'booking_empty',
    'seats_unavailable',
    'flight_departed',
    'flight_cancelled',
    'total_changed',
    'mandate_required',
    'mandate_ambiguous',
    'mandate_limit_exceeded',
    'mandate_scope_insufficient',
    'mandate_constraint_violated',
    'mandate_client_mismatch',
    'currency_mismatch',
  )
  async place(
    @JsonBody(PlaceOrderDto) body: PlaceOrderDto,
    @CurrentRequest() by: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderView> {
    const order = await this.idempotent.run(reply, orderOperation(this, body, by));
    void reply.header('location', order.url);
    return order;
  }

  @Get()
  @RequireScopes('receipt:read')
  @PrivateRead()
  @ApiOperation({ operationId: 'listOrders', summary: 'Lista os pedidos do viajante, do mais novo ao mais antigo' })
  @ApiOkResponse({ type: OrderListView })
  @ApiErrors('invalid_query', 'invalid_cursor')
  async list(@QueryString(ListOrdersDto) query: ListOrdersDto, @CurrentRequest() { caller, urls }: RequestContext) {
    const { page, metadata } = await this.orders.attached.page(
      caller,
      pageOf(query),
      (part) => this.orders.list(caller.holder, query.status, part, createdOf(query)),
      ({ id }) => id,
    );
    const { locators, travellers } = this.orders;
    const people = await travellers.ofEach(
      page.items.map(({ id, checkout: { named } }) => ({ id, named })),
      caller,
    );
    const items = page.items.map((order) =>
      orderView(order, urls, { locators, metadata: metadata.get(order.id), people: people.get(order.id) }),
    );
    return { ...page, items };
  }

  @Get(':id')
  @RequireScopes('receipt:read')
  @PrivateRead()
  @ApiOperation({ operationId: 'getOrder', summary: 'Lê um pedido' })
  @ApiOkResponse({ type: OrderView })
  @ApiErrors('order_not_found')
  get(@Param('id') id: string, @CurrentRequest() { caller, urls }: RequestContext): Promise<OrderView> {
    return readOrder(this.orders, id, caller, urls);
  }

  @Get(':id/receipt')
  @RequireScopes('receipt:read')
  @PrivateRead()
  @ApiOperation({ operationId: 'getReceipt', summary: 'Lê o recibo de um pedido' })
  @ApiOkResponse({ type: ReceiptView })
  @WithoutWarnings()
  @ApiErrors('ticket_not_found')
  async receipt(@Param('id') id: string, @CurrentCaller() { holder }: Caller): Promise<ReceiptView> {
    return receiptView(await this.orders.charged(id, holder), this.orders.locators);
  }

  @Post(':id/cancellations')
  @HttpCode(201)
  @RequireScopes('order:write')
  @AcceptsIdempotencyKey()
  @ApiOperation({ operationId: 'quoteCancellation', summary: 'Cota o cancelamento de um pedido, sem mudar nada' })
  @ApiCreatedResponse({ type: CancellationView })
  @ApiErrors('order_not_found', 'order_not_cancellable')
  quote(
    @Param('id') id: string,
    @CurrentRequest() by: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CancellationView> {
    return this.idempotent.run(reply, quoteOperation(this, id, by), { orderId: id });
  }

  @Post(':id/cancellations/:cancellationId/confirm')
  @HttpCode(200)
  @RequireScopes('order:write')
  @AcceptsIdempotencyKey()
  @ApiOperation({ operationId: 'cancelOrder', summary: 'Cancela um pedido como cotado, e devolve o valor' })
  @ApiOkResponse({ type: CancellationView })
  @ApiErrors('order_not_found', 'order_not_cancellable', 'cancellation_expired', 'rate_limited')
  cancel(
    @Param('id') orderId: string,
    @Param('cancellationId') cancellationId: string,
    @CurrentRequest() by: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CancellationView> {
    const names = { orderId, cancellationId };
    return this.idempotent.run(reply, cancelOperation(this, names, by), names);
  }

  @Get(':id/credit-note')
  @RequireScopes('receipt:read')
  @PrivateRead()
  @ApiOperation({ operationId: 'getCreditNote', summary: 'Lê a nota de crédito de um pedido cancelado' })
  @ApiOkResponse({ type: CreditNoteView })
  @WithoutWarnings()
  @ApiErrors('ticket_not_found')
  async creditNote(@Param('id') id: string, @CurrentCaller() { holder }: Caller): Promise<CreditNoteView> {
    return creditNoteView(await this.orders.cancelled(id, holder));
  }

  @Get(':id/receipt/proof')
  @RequireScopes('receipt:read')
  @Header('cache-control', 'no-store')
  @Header('content-type', 'text/plain; charset=utf-8')
  @ApiOperation({
    operationId: 'getReceiptProof',
    summary: 'Prova de que o pagamento do pedido está no registro de transparência',
  })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @WithoutWarnings()
  @ApiErrors('ticket_not_found')
  proof(@Param('id') id: string, @CurrentCaller() { holder }: Caller): Promise<string> {
    return this.proofs.of(id, holder);
  }
}
