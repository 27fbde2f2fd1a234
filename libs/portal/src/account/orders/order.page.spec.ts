import { partsOf } from '#events';
import type { People } from '#booking';
import { baseUrlsAt } from '#http';
import { money, plus } from '#kernel';
import type { NotCancellable, PlacedOrder, ReceiptView } from '#order';
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
const CODES = ['9770000000014', '9770000000025'] as const;
const receipt: ReceiptView = {
  receiptId: 'R-9770000000014',
  ticketId: checkout.orderId,
  locator: 'K7MPXR',
  issuedAt: AT,
  departureDate: null,
  departureAt: null,
  line: {
    ...checkout.line,
    passengers: 2,
    unitPrice: money(100_00, 'BRL'),
    ...partsOf(checkout.line.subtotal, money(100_00, 'BRL')),
    ticketCode: CODES[0],
    ticketCodes: CODES,
  },
  total: checkout.total,
  payment: { ...payment, status: 'captured', mandateId: 'm', mandateSelection: 'implicit' },
  note: 'Uma nota.',
};

const CONCEICAO = { givenName: 'Conceição', familyName: 'dos Santos' };
const NAMED: People = {
  travellers: [
    { ...CONCEICAO, birthDate: '1990-05-17', document: { type: 'CPF', number: '123.456.789-09' } },
    { givenName: '<João>', familyName: 'Sá' },
  ],
  contact: { email: 'conceicao@example.com', phone: '+55 11 91234-5678' },
};

const textOf = (
  order: PlacedOrder,
  isWaiting = false,
  people: People = {},
  inTheWay: NotCancellable | null = 'not_paid',
): string =>
  orderPage({
    order,
    receipt: order.kind === 'paid' || order.kind === 'cancelled' ? receipt : null,
    buyer: '<Ana>',
    people,
    integrity: {
      isIntact: true,
      events: 2,
      sealed: 2,
      checkpoint: { origin: 'alcada.example/tlog', size: 9, root: 'cmFpeg==' },
    },
    agent: { name: 'Agente', pilot: false },
    isWaiting,
    inTheWay,
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
      'GRU São Paulo → para REC Recife',
      'Bilhete 9770000000014',
      'Em nome de &lt;Ana&gt; Localizador K7MPXR Bilhete',
      'Passageiros 2',
      'Recibo R-9770000000014',
      'Tarifa e taxas R$\u00a01.059,80 + R$\u00a0100,00 Cancelamento Se a viagem for cancelada, a tarifa não é devolvida. As taxas não são devolvidas. Pago com Visa final 4242',
      'Cobrado em 31 jan. 2026, 09:00',
      'o único que servia',
      'Uma nota.',
      'Datas e horas no horário de Brasília.',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('says who flies, with which ticket, as it was said', () => {
    const text = textOf(paid, false, NAMED);
    for (const part of [
      'Bilhete de Conceição dos Santos 9770000000014',
      'Bilhete de &lt;João&gt; Sá 9770000000025',
      'Quem voa Conceição dos Santos, nascimento em 17/05/1990, CPF 123.456.789-09 &lt;João&gt; Sá',
      'Contato conceicao@example.com · +55 11 91234-5678',
    ])
      expect(text).toContain(part);
    expect(textOf(failed, false, { ...NAMED, contact: { declined: true } })).toMatch(
      /Quem voa .*Contato não quis informar/,
    );
  });

  it('says of a cancelled order what came back and why, with its receipt and no ticket', () => {
    const back = { refund: money(80_00, 'BRL'), fee: money(20_00, 'BRL'), reason: 'fare_rule', departsAt: AT } as const;
    const text = textOf({
      ...paid,
      kind: 'cancelled',
      cancellation: { cancellationId: 'c', ...back, startedAt: AT },
      refundId: 'r',
      refundedAt: AT,
      cancelledAt: AT,
    });
    expect(text).toMatch(
      /Compra cancelada .*o bilhete não vale mais\. Nota de crédito C-9770000000014 R\$\s80,00 de volta Pago R\$\s1\.159,80 Não devolvido R\$\s20,00 Devolvido R\$\s80,00 Por quê Regra da tarifa .* Para Visa final 4242, como estorno Devolvido em 31 jan\. 2026, 09:00 Emitida em 31 jan\. 2026, 09:00 Recibo R-9770000000014/,
    );
    expect(text).not.toMatch(/Localizador|Bilhete em PDF|Cancelar esta compra/);
  });

  it('leads to the cancellation of a paid order, or says why there is none, and shows no ticket while it is under way', () => {
    expect(textOf(paid, false, {}, null)).toMatch(/Bilhete em PDF .*Cancelamento Antes .*Cancelar esta compra…/);
    expect(textOf(paid, false, {}, 'departed')).toContain('Cancelamento O voo já partiu');
    expect(textOf(paid, false, {}, 'undated')).toContain('Cancelamento O voo não tem data marcada');
    const back = { refund: money(80_00, 'BRL'), fee: money(20_00, 'BRL'), reason: 'fare_rule', departsAt: AT } as const;
    const cancelling = { ...paid, cancellation: { cancellationId: 'c', ...back, startedAt: AT, failedAt: null } };
    const underWay = textOf(cancelling, false, {}, 'in_progress');
    expect(underWay).toMatch(/Cancelamento em andamento Esta compra está sendo cancelada: R\$\s80,00 voltam para Visa/);
    expect(underWay).not.toMatch(/Bilhete em PDF|Cancelar esta compra/);
    const refused = { ...cancelling, cancellation: { ...cancelling.cancellation, failedAt: AT } };
    expect(textOf(refused, false, {}, 'refund_failed')).toMatch(/o cartão não aceitou a devolução\..*Bilhete em PDF/);
  });

  it('says of a failed order why, and that nothing was charged', () => {
    expect(textOf(failed)).toContain(
      'Compra não concluída O pagamento foi recusado pelo emissor do cartão. Não houve cobrança',
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
      /O mandato já estava encerrado.*Aprovado por você em/,
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
