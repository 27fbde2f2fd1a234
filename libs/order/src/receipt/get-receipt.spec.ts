import { describe, expect, it } from '@jest/globals';
import { Aggregates } from '#event-store';
import type { Payment } from '#events';
import { plus, RandomIds, systemContext } from '#kernel';
import { FixedClock, NOW } from '#testing';
import { sampleCheckout } from '../../../booking/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { type OrderCommand, orders } from '../order.decider.js';
import { GetReceipt, GetReceiptHandler } from './get-receipt.js';
import { receiptView } from './receipt.view.js';

const ids = new RandomIds();
const aggregates = new Aggregates(new MemoryEventStore(), new FixedClock(), ids);

const checkout = { ...sampleCheckout(), orderId: ids.next() };
const payment: Payment = {
  id: 'p1',
  processor: 'test',
  method: 'card',
  brand: 'visa',
  last4: '4242',
  amount: checkout.total,
  capturedAt: NOW,
};
const place: OrderCommand = { type: 'PlaceOrder', checkout };
const challenge: OrderCommand = {
  type: 'ChallengePayment',
  brand: 'visa',
  last4: '3220',
  expiresAt: plus(NOW, 600_000),
};
const pay: OrderCommand = { type: 'PayOrder', ticketCode: '9770000000014', payment };
const fail: OrderCommand = { type: 'FailOrder', checkout, failure: 'payment_declined' };

/** Reads the receipt of an order that these commands were given. */
const receiptAfter = async (commands: readonly OrderCommand[], holder = checkout.holder) => {
  const orderId = ids.next();
  for (const command of commands) await aggregates.handle(orders, orderId, command, systemContext('a test'));
  return receiptView(await new GetReceiptHandler(aggregates).execute(new GetReceipt(orderId, holder)));
};

describe('a receipt', () => {
  it('has what was bought and how it was paid', async () =>
    expect(await receiptAfter([place, challenge, pay])).toMatchObject({
      receiptId: 'R-9770000000014',
      issuedAt: NOW,
      line: { ...checkout.line, ticketCode: '9770000000014' },
      total: checkout.total,
      payment: { ...payment, status: 'captured', mandateId: checkout.mandateId },
    }));

  it('is not there for an order that failed or is not paid yet, nor for another holder', async () => {
    const notFound = { code: 'ticket_not_found' };
    await expect(receiptAfter([place, fail])).rejects.toMatchObject(notFound);
    await expect(receiptAfter([place])).rejects.toMatchObject(notFound);
    await expect(receiptAfter([place, pay], 'bruno')).rejects.toMatchObject(notFound);
  });
});
