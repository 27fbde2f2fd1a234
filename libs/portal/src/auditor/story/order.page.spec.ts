import type { StoredEvent } from '#event-store';
import { baseUrlsAt } from '#http';
import { money } from '#kernel';
import type { LedgerRow, RefundRow } from '#checkout';
import { auditedOrderPage } from './order.page.js';

const AT = '2026-01-31T12:00:00.000Z';
const amount = money(279_90, 'BRL');
const captured: LedgerRow = { status: 'captured', id: 'p', brand: 'visa', last4: '4242', amount, capturedAt: AT };
const session = { id: 's', traveller: { holder: 'h', email: 'clara@example.com', loggedInAt: AT } };

const NOBODY = { moment: null, agent: null };
const event = (type: string, data: StoredEvent['data'] = {}): StoredEvent => ({
  stream: 'order-o',
  type,
  revision: 0,
  position: '0',
  data,
  metadata: {
    eventId: 'e',
    occurredAt: AT,
    actor: { holder: 'h', clientId: 'a' },
    schemaVersion: 1,
    hash: 'a'.repeat(64),
    $correlationId: 'c',
    $causationId: 'c',
  },
});

/** What the page says of the charge, or of the refund, of an order with these events. */
const said = (
  events: readonly StoredEvent[],
  charge: LedgerRow | null,
  of = 'cobranca',
  refund: RefundRow | null = null,
): string | undefined => {
  const cards = events.map((one) => ({ event: one, previousHash: null, place: null }));
  const story = { cards, count: cards.length, breaches: [] };
  const urls = baseUrlsAt('https://alcada.example');
  const { html } = auditedOrderPage({ session, urls, orderId: 'o', story, charge, refund, ...NOBODY });
  const [, ledger = ''] = html.split(`id="${of}"`);
  return /<p class="(?:alert|outcome[^"]*)">[^<]*/.exec(ledger.split('</section>')[0] ?? '')?.[0].replace(/\s+/g, ' ');
};

describe('an order and its charge', () => {
  const placed = event('OrderPlaced');
  const paid = (sum = amount) => event('OrderPaid', { ticketCode: 't', payment: { id: 'p', amount: sum } });
  const failed = event('OrderFailed', { failure: 'payment_declined' });

  it.each<[string, readonly StoredEvent[], LedgerRow | null, string | undefined]>([
    ['neither has', [placed], null, undefined],
    ['the ledger has, and the order is under way', [placed], captured, '<p class="outcome none"> Pedido em andamento'],
    ['both have', [placed, paid()], captured, '<p class="outcome">Número e valor são os mesmos'],
    ['the order alone has', [placed, paid()], null, '<p class="alert">O pedido está pago, e o livro não diz o mesmo.'],
    ['both have, of another sum', [placed, paid(money(1, 'BRL'))], captured, '<p class="alert">O pedido está pago'],
    ['the ledger has, and the order failed', [placed, failed], captured, '<p class="alert">O pedido não foi concluído'],
    ['neither has, and the order failed', [placed, failed], null, undefined],
  ])('are compared where %s', (_, events, charge, words) => {
    const sentence = said(events, charge);
    if (words === undefined) expect(sentence).toBeUndefined();
    else expect(sentence?.startsWith(words)).toBe(true);
  });
});

describe('an order and its refund', () => {
  const paid = [event('OrderPlaced'), event('OrderPaid', { ticketCode: 't', payment: { id: 'p', amount } })];
  const begun = [
    ...paid,
    event('OrderCancellationStarted', { reason: 'fare_rule', refund: amount, fee: money(1, 'BRL') }),
  ];
  const cancelled = (sum = amount, refundId: string | null = 'r') => [
    ...begun,
    event('OrderCancelled', { refund: sum, refundId }),
  ];
  const failed = [...begun, event('OrderRefundFailed')];
  const row: RefundRow = { status: 'refunded', id: 'r', amount, refundedAt: AT };
  const refused: RefundRow = { status: 'refund_failed', amount, failedAt: AT };
  const same = '<p class="outcome">O pedido e o livro dizem o mesmo';
  const other = '<p class="alert">O pedido está cancelado, e o livro não diz o mesmo.';

  it.each<[string, readonly StoredEvent[], RefundRow | null, string | undefined]>([
    ['nobody cancelled it', paid, null, undefined],
    ['it is under way', begun, row, '<p class="outcome none"> Cancelamento em andamento'],
    ['both have it', cancelled(), row, same],
    ['nothing was to come back', cancelled(money(0, 'BRL'), null), null, same],
    ['the order alone has it', cancelled(), null, other],
    ['both have it, of another sum', cancelled(money(1, 'BRL')), row, other],
    ['both have it, by another number', cancelled(amount, 's'), row, other],
    ['the ledger refused it', cancelled(), refused, other],
    ['both say that it failed', failed, refused, same],
    [
      'the order says that it failed',
      failed,
      row,
      '<p class="alert">A devolução do pedido foi recusada, e o livro não',
    ],
    ['the ledger alone has it', paid, row, '<p class="alert">O livro tem uma devolução, e o pedido não diz o mesmo.'],
  ])('are compared where %s', (_, events, refund, words) => {
    const sentence = said(events, captured, 'devolucao', refund);
    if (words === undefined) expect(sentence).toBeUndefined();
    else expect(sentence?.startsWith(words)).toBe(true);
  });
});
