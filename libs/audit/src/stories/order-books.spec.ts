import type { Json } from '#verifier';
import type { RefundRow } from '#checkout';
import { money } from '#kernel';
import { type LedgerRow, OrderBooks } from './order-books.js';
import { RefundBooks } from './refund-books.js';

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

describe('a refund and its row of the ledger', () => {
  const [back, other] = [money(200_00, 'BRL'), money(1, 'BRL')];
  const row: RefundRow = { status: 'refunded', id: 'r', amount: back, refundedAt: '2026-01-16T12:00:00.000Z' };
  const refused: RefundRow = { status: 'refund_failed', amount: back, failedAt: '2026-01-16T12:00:00.000Z' };
  const begun = (refund = back): Told => ['OrderCancellationStarted', { refund }];
  const moved = (amount = back): Told => ['MandateRefunded', { amount }];
  const cancelled = (refund = back, refundId: string | null = 'r'): Told => ['OrderCancelled', { refund, refundId }];
  const failed: Told = ['OrderRefundFailed'];
  const judgedBack = (events: readonly Told[], ledger: RefundRow | null) => {
    const books = new RefundBooks('o1');
    for (const [type, data = {}] of events) books.add({ type, data });
    const { status, breaches } = books.against(ledger);
    return [status, breaches.length];
  };
  const none = money(0, 'BRL');

  it.each<[string, readonly Told[], RefundRow | null, string]>([
    ['cancelled', [begun(), moved(), cancelled()], row, 'refunded'],
    ['cancelled, and nothing was to come back', [begun(none), moved(none), cancelled(none, null)], null, 'refunded'],
    ['refused by the card', [begun(), failed], refused, 'refund_failed'],
    ['under way', [begun()], row, 'open'],
  ])('agree where it was %s', (_, events, ledger, status) => {
    expect(judgedBack(events, ledger)).toEqual([status, 0]);
  });

  it.each<[string, readonly Told[], RefundRow | null]>([
    ['cancelled without a row', [begun(), moved(), cancelled()], null],
    ['cancelled, and refused', [begun(), moved(), cancelled()], refused],
    ['cancelled, and another amount came back', [begun(), moved(), cancelled()], { ...row, amount: other }],
    ['cancelled by another refund', [begun(), moved(), cancelled()], { ...row, id: 's' }],
    ['cancelled for nothing, and something came back', [begun(none), moved(none), cancelled(none, null)], row],
    ['cancelled for another amount', [begun(other), moved(other), cancelled()], row],
    ['cancelled, and its mandate has nothing', [begun(), cancelled()], row],
    ['cancelled, and its mandate has another amount', [begun(), moved(other), cancelled()], row],
    ['cancelled, and its mandate has it twice', [begun(), moved(), moved(), cancelled()], row],
    ['refused, and it came back', [begun(), failed], row],
    ['refused, and its mandate has it', [begun(), moved(), failed], refused],
    ['cancelled and refused', [begun(), moved(), cancelled(), failed], row],
  ])('disagree where it was %s', (_, events, ledger) => {
    expect(judgedBack(events, ledger)[1]).toBeGreaterThan(0);
  });
});
