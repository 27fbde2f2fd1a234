import type { StoredEvent } from '#event-store';
import { baseUrlsAt } from '#http';
import { money } from '#kernel';
import type { LedgerRow } from '#checkout';
import { auditedOrderPage } from './order.page.js';

const AT = '2026-01-31T12:00:00.000Z';
const amount = money(279_90, 'BRL');
const captured: LedgerRow = { status: 'captured', id: 'p', brand: 'visa', last4: '4242', amount, capturedAt: AT };
const session = { id: 's', traveller: { holder: 'h', email: 'clara@example.com', loggedInAt: AT } };

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

/** What the page says of the charge of an order with these events. */
const said = (events: readonly StoredEvent[], charge: LedgerRow | null): string | undefined => {
  const cards = events.map((one) => ({ event: one, previousHash: null, place: null }));
  const story = { cards, count: cards.length, breaches: [] };
  const urls = baseUrlsAt('https://alcada.example');
  const { html } = auditedOrderPage({ session, urls, orderId: 'o', story, charge });
  const [, ledger = ''] = html.split('id="cobranca"');
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
