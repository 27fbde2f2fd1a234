import { ticketText, type UncheckedEvent } from './ticket-text.js';

const [TICKET, SECOND] = ['9570000000014', '9570000000025'];
const event = (type: string, occurredAt: string, stream = 'order-o'): UncheckedEvent => ({
  stream,
  type,
  data: type === 'OrderPaid' ? { ticketCode: TICKET, ticketCodes: [TICKET, SECOND] } : {},
  metadata: { occurredAt },
});
const paid = event('OrderPaid', 'nine');
const begun = event('OrderCancellationStarted', 'ten');

describe('a ticket on the page of verification', () => {
  it.each<[string, readonly UncheckedEvent[], boolean, string]>([
    ['paid', [paid], false, 'Pago neste arquivo, que não traz cancelamento'],
    [
      'paid, as a proof says',
      [paid],
      true,
      'Pago. Esta prova é só do pagamento: se o pedido foi cancelado depois, ela não diz',
    ],
    [
      'cancelled',
      [paid, begun, event('OrderCancelled', 'eleven')],
      false,
      'Pago e depois cancelado, em [eleven]: não vale mais',
    ],
    [
      'being cancelled',
      [paid, begun],
      false,
      'Pago; o cancelamento começou em [ten], e este arquivo não diz como acabou',
    ],
    [
      'paid still, since its refund failed',
      [paid, begun, event('OrderRefundFailed', 'eleven')],
      false,
      'Pago neste arquivo, que não traz cancelamento',
    ],
    [
      'paid, and another one cancelled',
      [paid, event('OrderCancelled', 'ten', 'order-p')],
      false,
      'Pago neste arquivo, que não traz cancelamento',
    ],
    ['not here', [begun, {}], false, 'Não é deste arquivo'],
  ])('is said to be %s', (_, events, isProof, said) => {
    for (const ticket of [TICKET, SECOND])
      expect(ticketText(ticket, events, isProof, (instant) => `[${instant}]`)).toBe(said);
  });
});
