import { orderOperation, OrderView, PlaceOrderDto, ReceiptView, receiptView } from '#order';
import { schemaOf } from '#http';
import { CREATES, fromBody, READS, scopedTool } from '../tool.js';
import { OrderArguments } from './arguments.dto.js';

/** Orders and receipts (docs/interface.md, endpoints 10 and 11). */
export const ORDER_TOOLS = [
  scopedTool({
    name: 'place_order',
    title: 'Comprar: cobrar e emitir o bilhete',
    description:
      'Confirma uma reserva: confere o mandato, cobra o cartão no processador de testes e emite o bilhete. Com o erro ' +
      'payment_challenge_required, leve o viajante a challenge.url e, depois que ele decidir, chame de novo com os ' +
      'mesmos argumentos. Com mandate_pending, o viajante ainda não decidiu sobre o mandato: espere por ele.',
    annotations: { ...CREATES, destructiveHint: true },
    scopes: ['order:write', 'payment:execute'],
    input: fromBody(PlaceOrderDto),
    outputSchema: schemaOf(OrderView),
    run: (body, call) => call.create(orderOperation(call, body, call)),
  }),
  scopedTool({
    name: 'get_receipt',
    title: 'Consultar o recibo',
    description: 'Lê o recibo de um pedido pago: o bilhete, o que foi comprado e como foi pago.',
    annotations: READS,
    scopes: ['receipt:read'],
    input: fromBody(OrderArguments),
    outputSchema: schemaOf(ReceiptView),
    isWarning: false,
    run: async ({ orderId }, { orders, caller: { holder } }) => receiptView(await orders.paid(orderId, holder)),
  }),
] as const;
