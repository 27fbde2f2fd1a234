import { describe, expect, it } from '@jest/globals';
import type { OrderEvent, Payment } from '#events';
import { fold, money, plus } from '#kernel';
import { NOW, scenarios } from '#testing';
import { sampleCheckout } from '../../booking/src/testing/index.js';
import { isChallenged, type OrderCommand, orderDecider, orders } from './order.decider.js';

const given = scenarios(orderDecider);
const checkout = sampleCheckout();
const payment: Payment = {
  id: 'p1',
  processor: 'test',
  method: 'card',
  brand: 'visa',
  last4: '4242',
  amount: checkout.total,
  capturedAt: NOW,
};
const asked = { brand: 'visa', last4: '3220', expiresAt: plus(NOW, 600_000) };

const placed: OrderEvent = { type: 'OrderPlaced', data: { ...checkout, placedAt: NOW } };
const challenged: OrderEvent = {
  type: 'PaymentChallenged',
  data: { bookingId: 'b1', ...asked, challengedAt: NOW },
};
const paid: OrderEvent = { type: 'OrderPaid', data: { ticketCode: '9770000000014', payment, paidAt: NOW } };
const failed: OrderEvent = { type: 'OrderFailed', data: { failure: 'payment_declined', failedAt: NOW } };

const place: OrderCommand = { type: 'PlaceOrder', checkout };
const challenge: OrderCommand = { type: 'ChallengePayment', ...asked };
const pay: OrderCommand = { type: 'PayOrder', ticketCode: '9770000000014', payment };
const fail: OrderCommand = { type: 'FailOrder', checkout, failure: 'payment_declined' };

describe('an order', () => {
  it('is placed once', () => {
    given().when(place).then(placed);
    for (const after of [[placed], [placed, paid], [placed, failed]])
      given(...after)
        .when(place)
        .then();
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

  it('keeps its first ticket when it is paid again with another', () =>
    given(placed, paid)
      .when({ ...pay, ticketCode: '9770000000026' })
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

  it('knows at its end what was bought, how it ended, and whether its holder was asked', () => {
    expect(fold(orderDecider, [placed, challenged, paid])).toMatchObject({
      kind: 'paid',
      checkout: { orderId: 'o1', total: money(1159_80, 'BRL') },
      ticketCode: '9770000000014',
      payment,
      challenge: asked,
    });
    expect(fold(orderDecider, [placed, failed])).toMatchObject({
      kind: 'failed',
      checkout,
      failure: 'payment_declined',
      challenge: null,
    });
  });
});
