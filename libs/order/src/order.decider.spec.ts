import type { OrderEvent } from '#events';
import { type ErrorCode, fold, money, plus } from '#kernel';
import { NOW, scenarios } from '#testing';
import { sampleCheckout, samplePayment } from '../../booking/src/testing/index.js';
import {
  isChallenged,
  isWaiting,
  type OrderCommand,
  orderDecider,
  orders,
  type PaidOrder,
  ticketCodesOf,
} from './order.decider.js';

const given = scenarios(orderDecider);
const checkout = sampleCheckout();
const payment = samplePayment;
const asked = { brand: 'visa', last4: '3220', expiresAt: plus(NOW, 600_000) };

const placed: OrderEvent = { type: 'OrderPlaced', data: { ...checkout, placedAt: NOW } };
const challenged: OrderEvent = {
  type: 'PaymentChallenged',
  data: { bookingId: 'b1', ...asked, challengedAt: NOW, decisionRecorded: true },
};
const approved: OrderEvent = { type: 'PaymentApproved', data: { bookingId: 'b1', approvedAt: NOW } };
const declined: OrderEvent = { type: 'PaymentDeclined', data: { bookingId: 'b1', declinedAt: NOW } };
const paid: OrderEvent = { type: 'OrderPaid', data: { ticketCode: '9770000000014', payment, paidAt: NOW } };
const failed: OrderEvent = { type: 'OrderFailed', data: { failure: 'payment_declined', failedAt: NOW } };

const place: OrderCommand = { type: 'PlaceOrder', checkout };
const challenge: OrderCommand = { type: 'ChallengePayment', ...asked };
const pay: OrderCommand = { type: 'PayOrder', ticketCodes: ['9770000000014'], payment };
const approve: OrderCommand = { type: 'DecidePayment', decision: 'approve' };
const deny: OrderCommand = { type: 'DecidePayment', decision: 'deny' };
const fail: OrderCommand = { type: 'FailOrder', checkout, failure: 'payment_declined' };

describe('an order', () => {
  it('is placed once', () => {
    given().when(place).then(placed);
    for (const after of [[placed], [placed, paid], [placed, failed]]) given(after).when(place).then();
  });

  it('is what its own stream says, from its placing on', () => {
    expect(orders.streamOf('o1')).toBe('order-o1');
    expect(fold(orderDecider, [challenged, paid])).toEqual({ kind: 'none' });
  });

  it('waits for its holder from when they are asked until its end', () => {
    const waits = (...events: readonly OrderEvent[]) => isChallenged(fold(orderDecider, events));
    expect([waits(), waits(placed), waits(placed, challenged)]).toEqual([false, false, true]);
    expect([waits(placed, challenged, paid), waits(placed, challenged, failed)]).toEqual([false, false]);
  });

  it('is paid or failed, once', () => {
    given(placed).when(pay).then(paid);
    given(placed).when(fail).then(failed);
    given(placed, paid).when(pay).then();
    given(placed, failed).when(fail).then();
  });

  it('has a ticket for each passenger, of which the first is the ticket of the order', () => {
    const ticketCodes = ['9770000000014', '9770000000025'] as const;
    const both: OrderEvent = {
      type: 'OrderPaid',
      data: { ticketCode: ticketCodes[0], ticketCodes, payment, paidAt: NOW },
    };
    given(placed)
      .when({ ...pay, ticketCodes })
      .then(both);
    const codesOf = (event: OrderEvent) => ticketCodesOf(fold(orderDecider, [placed, event]) as PaidOrder);
    expect([codesOf(both), codesOf(paid)]).toEqual([ticketCodes, ticketCodes.slice(0, 1)]);
  });

  it('keeps its first ticket when it is paid again with another', () =>
    given(placed, paid)
      .when({ ...pay, ticketCodes: ['9770000000026'] })
      .then());

  it('that was never placed is placed and failed together, so that nobody places it later (rule 5)', () => {
    given().when(fail).then(placed, failed);
    given(placed, failed).when(place).then();
  });

  it('stops whoever decides against the stream', () => {
    expect(() => given(placed, failed).when(pay).then()).toThrow('captured money for an order that is failed');
    expect(() => given().when(pay).then()).toThrow('captured money for an order that is none');
    expect(() => given(placed, paid).when(fail).then()).toThrow('paid cannot fail');
  });

  it('asks its holder once, and only while it is pending', () => {
    given(placed).when(challenge).then(challenged);
    given(placed, challenged).when(challenge).then();
    given(placed, failed).when(challenge).then();
    given().when(challenge).then();
    given(placed, challenged).when(pay).then(paid);
    given(placed, challenged).when(fail).then(failed);
  });

  it('is decided by its holder once, while it waits (rule 10)', () => {
    given(placed, challenged).when(approve).then(approved);
    given(placed, challenged).when(deny).then(declined);
    for (const first of [approved, declined])
      for (const second of [approve, deny]) given(placed, challenged, first).when(second).then();
    for (const events of [[], [placed], [placed, challenged, paid], [placed, challenged, failed]])
      given(events).when(approve).then();
  });

  it('is decided by nobody from the instant on at which its challenge ends (rule 10)', () => {
    const last = plus(asked.expiresAt, -1);
    const inTime: OrderEvent = { type: 'PaymentApproved', data: { bookingId: 'b1', approvedAt: last } };
    given(placed, challenged).when(approve, last).then(inTime);
    for (const late of [approve, deny]) given(placed, challenged).when(late, asked.expiresAt).then();
  });

  it('fails for what its holder said, whoever finishes it and why (rule 10)', () => {
    const failsWith = (decision: OrderEvent | null, failure: ErrorCode, told: ErrorCode) =>
      given(placed, challenged, ...(decision ? [decision] : []))
        .when({ ...fail, failure })
        .then({ type: 'OrderFailed', data: { failure: told, failedAt: NOW } });
    failsWith(null, 'payment_challenge_failed', 'payment_challenge_failed');
    failsWith(approved, 'payment_challenge_failed', 'payment_not_completed');
    failsWith(approved, 'mandate_revoked', 'mandate_revoked');
    failsWith(declined, 'payment_challenge_failed', 'payment_challenge_failed');
    failsWith(declined, 'mandate_revoked', 'payment_challenge_failed');
  });

  it('waits on where its holder approved, and no longer where they refused', () => {
    const waits = (...events: readonly OrderEvent[]) => isWaiting(fold(orderDecider, events));
    expect([waits(placed, challenged), waits(placed, challenged, approved)]).toEqual([true, true]);
    expect([waits(placed), waits(placed, challenged, declined)]).toEqual([false, false]);
  });

  it('knows at its end what was bought, how it ended, and whether its holder was asked', () => {
    expect(fold(orderDecider, [placed, challenged, paid])).toMatchObject({
      kind: 'paid',
      checkout: { orderId: 'o1', total: money(1159_80, 'BRL') },
      ticketCode: '9770000000014',
      payment,
      challenge: { ...asked, decided: null },
    });
    expect(fold(orderDecider, [placed, failed])).toMatchObject({
      kind: 'failed',
      checkout,
      failure: 'payment_declined',
      challenge: null,
    });
  });
});
