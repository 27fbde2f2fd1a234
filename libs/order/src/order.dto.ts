import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import {
  ContactDto,
  NamesContact,
  NamesTravellers,
  type People,
  peopleIn,
  ShowsContact,
  ShowsDepartureAt,
  ShowsDepartureDate,
  ShowsTravellers,
  TravellerDto,
} from '#booking';
import { conditionsView } from '#site';
import type { Locators } from '#checkout';
import {
  answers,
  type BaseUrls,
  ConditionsView,
  DatedListQueryDto,
  eitherOf,
  HasMetadata,
  IsMetadata,
  listOf,
  type Metadata,
  MetadataDto,
  MoneyView,
  Optional,
} from '#http';
import { CANCELLATION_REASONS, type CancellationReason } from '#events';
import { CURRENCIES, type Currency, type ErrorCode } from '#kernel';
import { type CancelledOrder, isCharged, type PlacedOrder, ticketCodesOf } from './order.decider.js';

export const ORDER_STATUSES = ['pending', 'paid', 'cancelled', 'failed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

@ApiSchema({ name: 'Ticket' })
export class TicketView {
  @ApiProperty({ example: '9770000000014' })
  readonly ticketCode: string;

  @ApiProperty({
    type: TravellerDto,
    nullable: true,
    description: 'Quem voa com ele; nulo se ninguém foi informado, e para outro agente.',
  })
  readonly traveller: TravellerDto | null;
}

@ApiSchema({ name: 'OrderRefund' })
export class OrderRefundView {
  @ApiProperty({ format: 'uuid' })
  readonly cancellationId: string;

  @ApiProperty({ type: MoneyView, description: 'O que voltou.' })
  readonly amount: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'O que ficou retido.' })
  readonly fee: MoneyView;

  @ApiProperty({ enum: CANCELLATION_REASONS })
  readonly reason: CancellationReason;

  @ApiProperty({ format: 'date-time' })
  readonly refundedAt: string;
}

/** An order as the interface shows it (docs/interface.md, Order). */
@ApiSchema({ name: 'Order' })
export class OrderView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ORDER_STATUSES })
  readonly status: OrderStatus;

  @ApiProperty({ example: 'AL4012' })
  readonly flightNumber: string;

  @ShowsDepartureDate()
  readonly departureDate: string | null;

  @ShowsDepartureAt()
  readonly departureAt: string | null;

  @ApiProperty({ example: 'Clássica' })
  readonly fareName: string;

  @ApiProperty({ type: MoneyView })
  readonly grandTotal: MoneyView;

  @ApiProperty({ type: String, nullable: true, example: '9770000000014' })
  readonly ticketCode: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    pattern: '^[2-9A-HJ-NP-Z]{6}$',
    description: 'Nome curto do pedido pago, para dizer ou escrever; sozinho não abre nada.',
    example: 'K7MPXR',
  })
  readonly locator: string | null;

  @ApiProperty({
    type: [TicketView],
    description: 'Um bilhete por passageiro, depois de pago; num pedido antigo, um para todos.',
  })
  readonly tickets: readonly TicketView[];

  @ApiProperty({
    type: ConditionsView,
    nullable: true,
    description: 'O que volta, se a viagem for cancelada; null: nada.',
  })
  readonly conditions: ConditionsView | null;

  @ShowsTravellers()
  readonly travellers?: readonly TravellerDto[];

  @ShowsContact()
  readonly contact?: ContactDto;

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

  @ApiPropertyOptional({ type: OrderRefundView, description: 'Só de um pedido cancelado: o que voltou.' })
  readonly refund?: OrderRefundView;

  @HasMetadata()
  readonly metadata: Metadata;
}

export const OrderListView = listOf(OrderView, 'OrderList');

export interface BesideOrder {
  readonly locators: Locators;
  readonly metadata?: Metadata | undefined;
  readonly people?: People | undefined;
}

export const orderView = (
  order: PlacedOrder,
  urls: BaseUrls,
  { locators, metadata = {}, people = {} }: BesideOrder,
): OrderView => {
  const { orderId, line, total } = order.checkout;
  const codes = isCharged(order) ? ticketCodesOf(order) : [];
  return {
    id: orderId,
    status: order.kind,
    flightNumber: line.flightNumber,
    departureDate: line.departureDate,
    departureAt: line.departureAt ?? null,
    fareName: line.fareName,
    grandTotal: total,
    ticketCode: isCharged(order) ? order.ticketCode : null,
    locator: isCharged(order) ? locators.of(order.ticketCode) : null,
    tickets: codes.map((ticketCode, place) => ({ ticketCode, traveller: people.travellers?.[place] ?? null })),
    conditions: line.conditions ? conditionsView(line.conditions) : null,
    ...peopleIn(people),
    createdAt: order.placedAt,
    url: orderUrl(orderId, urls),
    ...(order.kind === 'failed' && { failure: order.failure }),
    ...(order.kind === 'cancelled' && { refund: refundOf(order) }),
    metadata,
  };
};

const refundOf = ({ cancellation, refundedAt }: CancelledOrder): OrderRefundView => {
  const { cancellationId, refund: amount, fee, reason } = cancellation;
  return { cancellationId, amount, fee, reason, refundedAt };
};

export const orderUrl = (orderId: string, { base }: BaseUrls): string => `${base}/orders/${orderId}`;

/** The page where the holder decides: `{site_url}/desafios/{id}`; a challenge has its order's id. */
export const challengeUrl = (orderId: string, { site }: BaseUrls): string => `${site}/desafios/${orderId}`;

const PAYMENT = answers('invalid_payment', 'deve ser um texto');
const BUYER = answers('invalid_body', 'deve ser um texto de até 120 caracteres, sem caracteres de controle');
const DOCUMENT = answers('invalid_body', 'deve ser um texto de até 40 caracteres');

/** Who buys; kept apart from the order, so that it can be erased. */
@ApiSchema({ name: 'Buyer' })
export class BuyerDto {
  @ApiPropertyOptional({ example: 'Ana Souza', maxLength: 120 })
  @Optional()
  @IsString(BUYER)
  @MaxLength(120, BUYER)
  @Matches(/^\P{Cc}*$/u, BUYER)
  readonly name?: string;

  @ApiPropertyOptional({ example: '123.456.789-09', maxLength: 40 })
  @Optional()
  @IsString(DOCUMENT)
  @MaxLength(40, DOCUMENT)
  readonly document?: string;
}

/** The card to be charged. Only brand and last four digits are ever kept. */
@ApiSchema({ name: 'CardPayment' })
export class PaymentDto {
  @ApiProperty({ example: '4242 4242 4242 4242' })
  @IsString(PAYMENT)
  readonly cardNumber: string;

  @ApiProperty({ example: '12/30', description: 'MM/AA, MM/AAAA ou AAAA-MM.' })
  @IsString(PAYMENT)
  readonly expiry: string;

  @ApiProperty({ example: '123' })
  @IsString(PAYMENT)
  readonly cvc: string;
}

@ApiSchema({ name: 'ExpectedTotal' })
export class ExpectedTotalDto {
  @ApiProperty({ type: 'integer', example: 61990 })
  @IsInt(answers('invalid_body', 'deve ser um inteiro em centavos'))
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'BRL' })
  @IsIn(CURRENCIES, answers('invalid_body', `deve ser ${eitherOf(CURRENCIES)}`))
  readonly currency: Currency;
}

/** Body of `POST /orders` (docs/interface.md, endpoint 10). */
@ApiSchema({ name: 'PlaceOrder' })
export class PlaceOrderDto {
  @ApiProperty({ format: 'uuid' })
  @IsString(answers('invalid_booking', 'deve ser um texto'))
  readonly bookingId: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsString(answers('invalid_mandate', 'deve ser um texto'))
  readonly mandateId?: string;

  @ApiPropertyOptional({ type: BuyerDto })
  @Optional()
  @IsObject(answers('invalid_body', 'deve ser um objeto'))
  @ValidateNested()
  readonly buyer?: BuyerDto;

  @NamesTravellers()
  readonly travellers?: readonly TravellerDto[];

  @NamesContact()
  readonly contact?: ContactDto;

  @ApiProperty({ type: PaymentDto })
  @IsObject(answers('invalid_payment', 'deve ser um objeto com cardNumber, expiry e cvc'))
  @ValidateNested()
  readonly payment: PaymentDto;

  @ApiPropertyOptional({ type: ExpectedTotalDto, description: 'Se o total for outro, o pedido é recusado.' })
  @Optional()
  @IsObject(answers('invalid_body', 'deve ser um objeto com amount e currency'))
  @ValidateNested()
  readonly expectedTotal?: ExpectedTotalDto;

  @ApiPropertyOptional({
    type: ExpectedTotalDto,
    description:
      'O máximo que o pedido aceita pagar. Depois de expiresAt da reserva, também acima do total prometido; nunca se cobra mais.',
  })
  @Optional()
  @IsObject(answers('invalid_body', 'deve ser um objeto com amount e currency'))
  @ValidateNested()
  readonly acceptUpTo?: ExpectedTotalDto;

  @IsMetadata()
  readonly metadata?: MetadataDto;
}

export class ListOrdersDto extends DatedListQueryDto {
  @ApiPropertyOptional({ enum: ORDER_STATUSES })
  @Optional()
  @IsIn(ORDER_STATUSES, answers('invalid_query', `deve ser ${eitherOf(ORDER_STATUSES)}`))
  readonly status?: OrderStatus;
}
