import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ShowsDepartureAt, ShowsDepartureDate } from '#booking';
import type { Locators } from '#checkout';
import { BAGGAGE, type Line, partsOf } from '#events';
import { MoneyView } from '#http';
import { type ChargedOrder, ticketCodesOf } from '../order.decider.js';

/** What was bought (docs/decisions.md, Receipt). */
@ApiSchema({ name: 'ReceiptLine' })
export class ReceiptLineView {
  @ApiProperty({ example: 'Voo AL4012, GRU–REC (Recife), tarifa Clássica' })
  readonly description: string;

  @ApiProperty({ example: 'AL4012' })
  readonly flightNumber: string;

  @ApiProperty({ example: 'GRU' })
  readonly from: string;

  @ApiProperty({ example: 'REC' })
  readonly to: string;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly departureDate: string | null;

  @ApiProperty({ example: '08:10' })
  readonly departureTime: string;

  @ApiProperty({ example: '11:25' })
  readonly arrivalTime: string;

  @ApiProperty({ type: 'integer', example: 0 })
  readonly arrivalDayOffset: number;

  @ApiProperty({ example: 'CLASSICA' })
  readonly fareCode: string;

  @ApiProperty({ example: 'Clássica' })
  readonly fareName: string;

  @ApiProperty({ enum: BAGGAGE })
  readonly baggage: Line['baggage'];

  @ApiProperty({ type: 'integer', example: 1 })
  readonly passengers: number;

  @ApiProperty({ type: MoneyView })
  readonly unitPrice: MoneyView;

  @ApiProperty({ type: MoneyView })
  readonly subtotal: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'A tarifa, sem as taxas.' })
  readonly base: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'As taxas de embarque.' })
  readonly taxes: MoneyView;

  @ApiProperty({ example: '9770000000014' })
  readonly ticketCode: string;

  @ApiProperty({
    type: [String],
    description: 'Um por passageiro; num pedido antigo, um para todos.',
    example: ['9770000000014'],
  })
  readonly ticketCodes: readonly string[];
}

@ApiSchema({ name: 'ReceiptPayment' })
export class ReceiptPaymentView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ enum: ['test'] })
  readonly processor: 'test';

  @ApiProperty({ enum: ['card'] })
  readonly method: 'card';

  @ApiProperty({ example: 'visa' })
  readonly brand: string;

  @ApiProperty({ example: '4242' })
  readonly last4: string;

  @ApiProperty({ type: MoneyView })
  readonly amount: MoneyView;

  @ApiProperty({ enum: ['captured'] })
  readonly status: 'captured';

  @ApiProperty({ format: 'date-time' })
  readonly capturedAt: string;

  @ApiProperty({ format: 'uuid' })
  readonly mandateId: string;

  @ApiProperty({ enum: ['explicit', 'implicit'] })
  readonly mandateSelection: 'explicit' | 'implicit';
}

/** A receipt as the interface shows it; the same bytes on every read (docs/interface.md, Receipt). */
@ApiSchema({ name: 'Receipt' })
export class ReceiptView {
  @ApiProperty({ example: 'R-9770000000014' })
  readonly receiptId: string;

  @ApiProperty({ format: 'uuid', description: 'O pedido.' })
  readonly ticketId: string;

  @ApiProperty({ example: 'K7MPXR' })
  readonly locator: string;

  @ApiProperty({ format: 'date-time' })
  readonly issuedAt: string;

  @ShowsDepartureDate()
  readonly departureDate: string | null;

  @ShowsDepartureAt()
  readonly departureAt: string | null;

  @ApiProperty({ type: ReceiptLineView })
  readonly line: ReceiptLineView;

  @ApiProperty({ type: MoneyView })
  readonly total: MoneyView;

  @ApiProperty({ type: ReceiptPaymentView })
  readonly payment: ReceiptPaymentView;

  @ApiProperty({ example: 'Cobrança feita em processador de testes: nenhum valor real foi movimentado.' })
  readonly note: string;
}

const NOTE = 'Cobrança feita em processador de testes: nenhum valor real foi movimentado.';

export const receiptView = (order: ChargedOrder, locators: Locators): ReceiptView => {
  const { checkout, payment, ticketCode, paidAt } = order;
  const { orderId, total, mandateId, mandateSelection } = checkout;
  const { flightId: _, departureAt = null, taxes, conditions: __, ...line } = checkout.line;
  return {
    receiptId: `R-${ticketCode}`,
    ticketId: orderId,
    locator: locators.of(ticketCode),
    issuedAt: paidAt,
    departureDate: line.departureDate,
    departureAt,
    line: { ...line, ...partsOf(line.subtotal, taxes), ticketCode, ticketCodes: ticketCodesOf(order) },
    total,
    payment: { ...payment, status: 'captured', mandateId, mandateSelection },
    note: NOTE,
  };
};
