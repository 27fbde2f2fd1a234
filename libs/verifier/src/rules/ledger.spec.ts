import type { Json } from '../audited-event.js';
import { isOfStory, purchaseStory, REFUNDED, STORY, testCrypto, withWord } from '../testing/index.js';
import { NEWEST } from '../version.js';
import { LedgerRules } from './ledger.js';
import { LogRules } from './log.js';

const events = await purchaseStory().bundled(isOfStory);
const until = events.at(-1)?.metadata.occurredAt ?? '';
const [paid, failed] = STORY.orders.map((stream) => stream.slice('order-'.length));
const { payment } = events.find(({ type }) => type === 'OrderPaid')?.data as { readonly payment: Json };
const captured = { status: 'captured', ...payment };
const brl = (amount: number) => ({ amount, currency: 'BRL' });

/** The ledger beside the story, in which one order was paid and another one failed. */
const ledger = (since: string | null = null): LedgerRules => {
  const rules = new LogRules(testCrypto.sha256, NEWEST, isOfStory);
  for (const event of events) rules.next(event);
  return new LedgerRules(rules.orders, { since, until });
};
const broken = (orderId: string | undefined, row: Json, rules = ledger()) =>
  rules.next(orderId ?? '', row).map(({ rule }) => rule);

describe('a row of the ledger', () => {
  it.each<[what: string, orderId: string | undefined, row: Json]>([
    ['of a paid order, as its event has it', paid, captured],
    ['of a failed order that was refused', failed, { status: 'refused', amount: brl(300_00) }],
    ['of a failed order that was closed', failed, { status: 'closed' }],
  ])('is right: %s', (_, orderId, row) => {
    expect(broken(orderId, row)).toEqual([]);
  });

  it.each<[what: string, orderId: string | undefined, row: Json, rules: readonly string[]]>([
    ['of a paid order that was refused', paid, { ...captured, status: 'refused' }, ['ledger']],
    ['of another amount', paid, { ...captured, amount: brl(1) }, ['amount']],
    ['of another currency', paid, { ...captured, amount: { ...brl(579_90), currency: 'USD' } }, ['amount']],
    ['without an amount', paid, { ...captured, amount: undefined }, ['form']],
    ['of another payment', paid, { ...captured, id: 'pay_2' }, ['ledger']],
    ['of a failed order that was captured', failed, { ...captured, amount: brl(300_00) }, ['captured']],
    ['of an order that is over, and not settled', failed, { status: 'open' }, ['ledger']],
    ['without a status', paid, {}, ['form']],
  ])('is wrong: %s', (_, orderId, row, rules) => {
    expect(broken(orderId, row)).toEqual(rules);
  });

  it('of an order that the log does not know is wrong where it is captured and older than the end of the log', () => {
    const rules = ledger();
    const at = (milliseconds: number) => new Date(Date.parse(until) + milliseconds).toISOString();
    expect(broken('another', { ...captured, capturedAt: at(-300_001) }, rules)).toEqual(['ledger']);
    expect(broken('another', { ...captured, capturedAt: at(-300_000) }, rules)).toEqual([]);
    expect(broken('another', { status: 'open' }, rules)).toEqual([]);
    expect(rules.later).toBe(3);
  });

  it('is missed where an order is over or paid, and asked of no order from before', () => {
    const rules = ledger();
    const missing = (of: LedgerRules) => [...of.missing()].map(({ rule, stream }) => `${rule} ${stream}`);
    expect(missing(rules)).toEqual([`ledger order-${paid}`, `ledger order-${failed}`]);
    rules.next(paid ?? '', captured);
    expect(missing(rules)).toEqual([`ledger order-${failed}`]);
    const later = ledger(until);
    expect(missing(later)).toEqual([]);
    expect(broken(paid, { ...captured, amount: brl(1) }, later)).toEqual([]);
  });
});

const back = await withWord(REFUNDED['lives-refund'] ?? ((script) => script)).bundled(() => true);
const [begun, over] = ['OrderCancellationStarted', 'OrderCancelled'].map((name) =>
  back.findIndex(({ type }) => type === name),
);
const cancelled = back[over ?? 0];
const refunded = cancelled?.stream.slice('order-'.length) ?? '';
const { refund, refundedAt } = (cancelled?.data ?? {}) as { readonly refund: Json; readonly refundedAt: string };
const given = { status: 'refunded', id: 'r', amount: refund, refundedAt };

/** The ledger beside an order that was cancelled, as far as the log was read, which ends so much (ms) after its refund. */
const refunds = (length = back.length, after = 0): LedgerRules => {
  const rules = new LogRules(testCrypto.sha256, NEWEST);
  for (const event of back.slice(0, length)) rules.next(event);
  return new LedgerRules(rules.orders, {
    since: null,
    until: new Date(Date.parse(refundedAt) + after).toISOString(),
  });
};
const wrongIn = (row: Json, rules = refunds(), orderId = refunded) =>
  rules.nextRefund(orderId, row).map(({ rule }) => rule);

describe('a refund in the ledger', () => {
  it('is right as its order has it, and while its order is not over yet', () => {
    expect(wrongIn(given)).toEqual([]);
    expect(wrongIn(given, refunds(over))).toEqual([]);
  });

  it.each<[what: string, row: Json, rule: string]>([
    ['of another amount', { ...given, amount: brl(1) }, 'refund'],
    ['in another currency', { ...given, amount: { ...refund, currency: 'USD' } }, 'refund'],
    ['by another number', { ...given, id: 'another' }, 'refund'],
    ['at another time', { ...given, refundedAt: '2026-01-31T12:00:00.000Z' }, 'refund'],
    ['that failed', { status: 'refund_failed', amount: refund, failedAt: refundedAt }, 'refund'],
    ['without a time', { ...given, refundedAt: undefined }, 'form'],
  ])('is wrong: %s', (_, row, rule) => {
    expect(wrongIn(row)).toEqual([rule]);
  });

  it('is missed where its order is over', () => {
    const rules = refunds();
    const missing = () => [...rules.missing()].filter(({ rule }) => rule === 'refund');
    expect(missing()).toHaveLength(1);
    rules.nextRefund(refunded, given);
    expect(missing()).toEqual([]);
  });

  it('may have been begun since the log was read, but not long before its end', () => {
    for (const orderId of [refunded, 'another']) {
      expect(wrongIn(given, refunds(begun, 300_000), orderId)).toEqual([]);
      expect(wrongIn(given, refunds(begun, 300_001), orderId)).toEqual(['refund']);
    }
  });
});
