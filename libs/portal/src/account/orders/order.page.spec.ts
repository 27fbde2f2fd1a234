import { partsOf } from '#events';
import { baseUrlsAt } from '#http';
import { money, plus } from '#kernel';
import type { PlacedOrder, ReceiptView } from '#order';
import { sampleCheckout } from '../../../../booking/src/testing/index.js';
import { orderPage } from './order.page.js';

const AT = '2026-01-31T12:00:00.000Z';
const checkout = sampleCheckout();
const placed = { checkout, placedAt: AT, challenge: null };
const pending: PlacedOrder = { kind: 'pending', ...placed };
const failed: PlacedOrder = { kind: 'failed', ...placed, failure: 'payment_declined', failedAt: AT };
const payment = {
  id: 'p',
  processor: 'test',
  method: 'card',
  brand: 'visa',
  last4: '4242',
  amount: checkout.total,
  capturedAt: AT,
} as const;
const paid: PlacedOrder = { kind: 'paid', ...placed, ticketCode: '9770000000014', payment, paidAt: AT };
const receipt: ReceiptView = {
  receiptId: 'R-9770000000014',
  ticketId: checkout.orderId,
  issuedAt: AT,
  line: {
    ...checkout.line,
    passengers: 2,
    unitPrice: money(100_00, 'BRL'),
    ...partsOf(checkout.line.subtotal, money(100_00, 'BRL')),
    ticketCode: '9770000000014',
  },
  total: checkout.total,
  payment: { ...payment, status: 'captured', mandateId: 'm', mandateSelection: 'implicit' },
  note: 'Uma nota.',
};

const textOf = (order: PlacedOrder, isWaiting = false): string =>
  orderPage({
    order,
    receipt: order.kind === 'paid' ? receipt : null,
    buyer: '<Ana>',
    integrity: {
      isIntact: true,
      events: 2,
      sealed: 2,
      checkpoint: { origin: 'alcada.example/tlog', size: 9, root: 'cmFpeg==' },
    },
    agent: { name: 'Agente', pilot: false },
    isWaiting,
    session: { id: 's', traveller: { holder: 'h', email: 'ana@example.com', loggedInAt: AT } },
    urls: baseUrlsAt('https://alcada.example'),
  })
    .html.replace(/<head>[\s\S]*<\/head>|<[^>]*>/g, ' ')
    .replace(/[ \n]+/g, ' ');

describe("an order's page", () => {
  it('is the ticket and the receipt of a paid order', () => {
    const text = textOf(paid);
    for (const part of [
      'Bilhete e recibo',
      `Voo ${checkout.line.flightNumber}`,
      'Bilhete 9770000000014',
      'Em nome de &lt;Ana&gt; Bilhete',
      'Passageiros 2',
      'Recibo R-9770000000014',
      'Tarifa e taxas R$\u00a01.059,80 + R$\u00a0100,00 Pago com Visa final 4242',
      'Cobrado em 31 jan. 2026, 09:00',
      'o único que servia',
      'Uma nota.',
      'Datas e horas no horário de Brasília.',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('says of a failed order why, and that nothing was charged', () => {
    expect(textOf(failed)).toContain(
      'Pedido não concluído O pagamento foi recusado pelo emissor do cartão. Não houve cobrança',
    );
  });

  const asked = { brand: 'visa', last4: '3220', expiresAt: plus(AT, 600_000), decided: null };
  const said = (decision: 'approve' | 'deny') => ({ ...asked, decided: { decision, at: plus(AT, 60_000) } });
  it.each<[string, Partial<Extract<PlacedOrder, { kind: 'failed' }>>, RegExp]>([
    [
      'approved, and the agent never came back',
      { failure: 'payment_not_completed', challenge: said('approve') },
      /Você aprovou, mas o agente não concluiu a compra a tempo\. Não houve cobrança.*Aprovado por você em 31 jan\. 2026, 09:01/,
    ],
    [
      'refused',
      { failure: 'payment_challenge_failed', challenge: said('deny') },
      /Você recusou o pagamento\..*Recusado por você em 31 jan\. 2026, 09:01/,
    ],
    [
      'said nothing',
      { failure: 'payment_challenge_failed', challenge: asked, failedAt: asked.expiresAt },
      /O prazo para confirmar o pagamento acabou\. Não houve cobrança/,
    ],
    [
      'refused before decisions were events',
      { failure: 'payment_challenge_failed', challenge: asked },
      /Você recusou o pagamento\./,
    ],
    [
      'approved, and their mandate ended',
      { failure: 'mandate_revoked', challenge: said('approve') },
      /O mandato foi revogado.*Aprovado por você em/,
    ],
  ])('says of an order whose traveller %s what is so', (_, change, words) => {
    const text = textOf({ ...failed, ...change });
    expect(text).toMatch(words);
    expect(text).not.toContain('não confirmou');
  });

  it('says of a receipt when its traveller approved the payment', () => {
    expect(textOf({ ...paid, challenge: said('approve') })).toContain(
      'Aprovado por você em 31 jan. 2026, 09:01 Cobrado',
    );
  });

  it('says of its history what it rests on', () => {
    expect(textOf(failed)).toContain(
      'Histórico íntegro Os 2 eventos estão encadeados e no registro público. Ponto de controle: alcada.example/tlog, 9 entradas, raiz cmFpeg==',
    );
  });

  it('says of a pending order whether it waits for its holder', () => {
    expect(textOf(pending)).toContain('O pagamento ainda não terminou.');
    expect(textOf(pending, true)).toContain('O pagamento aguarda sua decisão. Aprovar ou recusar');
  });

  it.each([pending, failed])('has neither ticket nor receipt of an order that is $kind', (order) => {
    expect(textOf(order)).not.toMatch(/Recibo|977000/);
  });
});
