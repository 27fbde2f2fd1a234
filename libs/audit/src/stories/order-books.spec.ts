import type { Json } from '#verifier';
import { type LedgerRow, OrderBooks } from './order-books.js';

const COST = { amount: 279_90, currency: 'BRL' };
const OTHER = { amount: 1, currency: 'BRL' };
const CAPTURED: LedgerRow = {
  status: 'captured',
  id: 'payment-1',
  amount: COST,
  capturedAt: '2026-01-15T12:00:00.000Z',
  brand: 'visa',
  last4: '4242',
};
const CLOSED: LedgerRow = { status: 'closed' };

type Told = readonly [type: string, data?: Json];
const started: Told = ['BookingCheckoutStarted', { total: COST }];
const consumed: Told = ['MandateConsumed', { amount: COST }];
const paid: Told = ['OrderPaid', { ticketCode: 'T1', payment: { id: 'payment-1', amount: COST } }];
const ticketed: Told = ['BookingTicketed', { ticketCode: 'T1' }];
const failed: Told = ['OrderFailed'];
const abandoned: Told = ['BookingCheckoutAbandoned'];

/** The rules that an order breaks by what its streams and the ledger say. */
const judged = (events: readonly Told[], row: LedgerRow | null) => {
  const books = new OrderBooks('o1');
  const metadata = { occurredAt: '', actor: { holder: null, clientId: null } };
  events.forEach(([type, data = {}], revision) => books.add({ stream: '', revision, type, data, metadata }));
  const { status, breaches } = books.against(row);
  return [status, breaches.map(({ rule }) => rule)];
};

describe('an order and its row of the ledger', () => {
  it('agree where it was paid, where it failed, and as far as it has come', () => {
    expect(judged([started, consumed, paid, ticketed], CAPTURED)).toEqual(['paid', []]);
    expect(judged([started, failed, abandoned], CLOSED)).toEqual(['failed', []]);
    expect(judged([started, failed, abandoned], { status: 'refused', reason: 'payment_declined' })).toEqual([
      'failed',
      [],
    ]);
    expect(judged([started], CAPTURED)).toEqual(['open', []]);
    expect(judged([started], null)).toEqual(['open', []]);
  });

  it.each<[string, readonly Told[], LedgerRow | null, readonly string[]]>([
    ['paid without a row', [started, consumed, paid, ticketed], null, ['ledger']],
    ['paid, and never charged', [started, consumed, paid, ticketed], CLOSED, ['ledger']],
    [
      'paid, and another amount captured',
      [started, consumed, paid, ticketed],
      { ...CAPTURED, amount: OTHER },
      ['ledger'],
    ],
    ['paid in another payment', [started, consumed, paid, ticketed], { ...CAPTURED, id: 'payment-2' }, ['ledger']],
    ['failed, and captured', [started, failed, abandoned], CAPTURED, ['ledger']],
    ['failed, and consumed', [started, consumed, failed, abandoned], CLOSED, ['consumption']],
    ['paid and failed', [started, consumed, paid, failed, ticketed], CAPTURED, ['ending', 'ledger', 'consumption']],
    ['consumed twice', [started, consumed, consumed, paid, ticketed], CAPTURED, ['consumption']],
    [
      'consumed another amount',
      [started, ['MandateConsumed', { amount: OTHER }], paid, ticketed],
      CAPTURED,
      ['consumption'],
    ],
    ['never consumed', [started, paid, ticketed], CAPTURED, ['consumption']],
    ['ticketed twice', [started, consumed, paid, ['BookingTicketed', { ticketCode: 'T2' }]], CAPTURED, ['ticket']],
    ['given up, and never ended', [started, abandoned], CLOSED, ['ending']],
  ])('disagree where it was %s', (_, events, row, rules) => {
    expect(judged(events, row)[1]).toEqual(rules);
  });
});
