import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { CommandBus } from '@nestjs/cqrs';
import { CANCELLATION_REASONS, type CancellationReason, partsOf } from '#events';
import { type IdempotentOperation, MoneyView, PricePartsView, type RequestContext } from '#http';
import { DomainError } from '#kernel';
import type { CancelledOrder, ChargedOrder } from '../order.decider.js';
import { CancelOrder, type Cancellations, type QuotedCancellation, QuoteOver } from './cancel-order.js';

@ApiSchema({ name: 'RefundTo' })
export class RefundToView {
  @ApiProperty({ example: 'visa' })
  readonly brand: string;

  @ApiProperty({ example: '4242' })
  readonly last4: string;
}

/** A cancellation, quoted or carried out (docs/interface.md, Cancellation). */
@ApiSchema({ name: 'Cancellation' })
export class CancellationView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ format: 'uuid' })
  readonly orderId: string;

  @ApiProperty({ enum: ['quoted', 'confirmed'] })
  readonly status: 'quoted' | 'confirmed';

  @ApiProperty({ type: MoneyView, description: 'O que volta.' })
  readonly refund: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'O que fica retido.' })
  readonly fee: MoneyView;

  @ApiProperty({
    enum: CANCELLATION_REASONS,
    description: 'Desistência em até 24 horas da compra; o que a tarifa diz; voo cancelado pela companhia.',
    example: 'fare_rule',
  })
  readonly reason: CancellationReason;

  @ApiProperty({ type: RefundToView, description: 'O cartão que recebe o valor de volta.' })
  readonly refundTo: RefundToView;

  @ApiPropertyOptional({ format: 'date-time', description: 'Até quando a cotação vale; só enquanto não confirmada.' })
  readonly expiresAt?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Quando o valor voltou; só depois de confirmada.' })
  readonly refundedAt?: string;
}

/** The credit note of a cancelled order; the same bytes on every read. */
@ApiSchema({ name: 'CreditNote' })
export class CreditNoteView {
  @ApiProperty({ example: 'C-9770000000014' })
  readonly creditNoteId: string;

  @ApiProperty({ format: 'uuid' })
  readonly orderId: string;

  @ApiProperty({ type: PricePartsView, description: 'O que foi pago: tarifa mais taxas.' })
  readonly line: PricePartsView;

  @ApiProperty({ type: MoneyView, description: 'O que fica retido.' })
  readonly fee: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'O que voltou.' })
  readonly refund: MoneyView;

  @ApiProperty({ format: 'date-time' })
  readonly issuedAt: string;
}

export const creditNoteView = (order: CancelledOrder): CreditNoteView => {
  const { checkout, cancellation, ticketCode, cancelledAt } = order;
  const { orderId, line } = checkout;
  return {
    creditNoteId: `C-${ticketCode}`,
    orderId,
    line: partsOf(line.subtotal, line.taxes),
    fee: cancellation.fee,
    refund: cancellation.refund,
    issuedAt: cancelledAt,
  };
};

const refundToOf = ({ payment: { brand, last4 } }: ChargedOrder): RefundToView => ({ brand, last4 });

export const quotedView = ({
  id,
  orderId,
  refund,
  fee,
  reason,
  expiresAt,
  order,
}: QuotedCancellation): CancellationView => ({
  ...{ id, orderId, status: 'quoted', refund, fee, reason },
  refundTo: refundToOf(order),
  expiresAt,
});

export const confirmedView = (order: CancelledOrder): CancellationView => {
  const { cancellationId: id, refund, fee, reason } = order.cancellation;
  const { orderId } = order.checkout;
  return {
    id,
    orderId,
    status: 'confirmed',
    refund,
    fee,
    reason,
    refundTo: refundToOf(order),
    refundedAt: order.refundedAt,
  };
};

interface CancellationDesk {
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly cancellations: Cancellations;
}

/** How a cancellation is quoted, whichever channel its agent uses. */
export const quoteOperation = (
  { cancellations }: CancellationDesk,
  orderId: string,
  { caller }: RequestContext,
): IdempotentOperation<CancellationView> => ({
  begin: async (id) => quotedView(await cancellations.quote(id, orderId, caller)),
  outcomeOf: () => Promise.resolve(null),
  completes: () => Promise.resolve(orderId), // so that who erases the order finds its answers
});

export const cancelOperation = (
  { commands }: CancellationDesk,
  { orderId, cancellationId }: { readonly orderId: string; readonly cancellationId: string },
  { caller, context }: RequestContext,
): IdempotentOperation<CancellationView> => ({
  begin: async () => {
    try {
      return confirmedView(await commands.execute(new CancelOrder(orderId, cancellationId, caller, context)));
    } catch (error) {
      if (!(error instanceof QuoteOver)) throw error;
      throw new DomainError(error.code, { cancellation: quotedView(error.quote) }, { cause: error });
    }
  },
  outcomeOf: () => Promise.resolve(null),
  completes: () => Promise.resolve(orderId),
});
