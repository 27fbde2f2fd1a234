import { loadBooking } from '#booking';
import { mandates } from '#mandate';
import { orders } from '#order';
import { capturedOrders } from '../support/books.js';
import { gate } from '../support/gate.js';
import { type CARDS, PRICE } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';

let sale: Sale;
beforeEach(async () => {
  sale = await Sale.open();
});
afterEach(() => sale.market.close());

/** All choices of some of these, but of none. */
const choicesOf = (calls: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: 2 ** calls.length - 1 }, (_, place) => calls.filter((_, bit) => ((place + 1) >> bit) & 1));

/** An order that stands before these calls, and has done whatever it may do beside them. */
const stoppedBefore = async (held: readonly string[], card: keyof typeof CARDS = 'good') => {
  const { intercept, reached, open } = gate('before', ...held);
  let calls = 0;
  const process = sale.market.process({
    intercept: (call, work) => {
      calls += 1;
      return intercept(call, work);
    },
  });
  const answer = sale.market.order(process, { ...sale.wanted, card });
  answer.catch(() => undefined);
  await reached;
  for (let before = -1; before !== calls;) {
    before = calls;
    await new Promise(setImmediate);
  }
  return { answer, open };
};

/** The same in a new market for every choice of calls that had not come to pass when the others had. */
const forEveryChoice = async (calls: readonly string[], check: (held: readonly string[]) => Promise<void>) => {
  for (const held of choicesOf(calls)) {
    await sale.market.close();
    sale = await Sale.open();
    await check(held).catch((error: unknown) => {
      throw new Error(`before ${held.join(', ')}`, { cause: error });
    });
  }
};

const recover = async () => {
  sale.past(SETTINGS.hold);
  await sale.market.recover(sale.calm);
};
const typesOfMandate = () => sale.typesOf(mandates.streamOf(sale.wanted.mandate));

const TRY = ['append SeatsHeld', 'append OrderPlaced', 'append MandateReserved'];
const CONFIRM = ['append MandateConsumed', 'append OrderPaid'];
const CANCEL = ['append MandateReleased', 'append SeatsReleased', 'append OrderFailed'];

describe('seats, order and reservation, of which any had come to pass', () => {
  it('are undone by recovery, and what comes late holds nothing (rules 2 and 6)', () =>
    forEveryChoice(TRY, async (held) => {
      const stopped = await stoppedBefore(held);
      await recover();
      expect(await sale.bookingNow()).toBe('open');
      await sale.expectRefused(stopped, 'service_unavailable');
    }));

  it('are undone by a revocation before it answers, and nothing is captured after it (rule 9)', () =>
    forEveryChoice(TRY, async (held) => {
      const { answer, open } = await stoppedBefore(held);
      expect((await typesOfMandate()).includes('MandateReserved')).toBe(!held.includes('append MandateReserved'));
      const revoked = await sale.market.revoke(sale.calm, sale.wanted.mandate);
      expect(revoked).toMatchObject({ reserved: { amount: 0 }, consumed: { amount: 0 } });
      open();
      await expect(answer).rejects.toMatchObject({ code: 'mandate_revoked' });
      expect(capturedOrders(await sale.market.books())).toEqual([]);
      await sale.expectFree();
    }));

  it('are all there before the card is charged (rule 2)', () =>
    forEveryChoice(TRY, async (held) => {
      const stopped = await stoppedBefore(held);
      expect((await sale.market.books()).ledger.size).toBe(0);
      await sale.expectPaid(stopped);
    }));

  it('answer what the seats say where seats and mandate refuse both (rule 2)', async () => {
    const [opened, seats] = [gate('after', 'append BookingCheckoutStarted'), gate('before', 'append SeatsHeld')];
    const process = sale.market.process({
      intercept: (call, work) => opened.intercept(call, () => seats.intercept(call, work)),
    });
    const answer = sale.market.order(process, sale.wanted);
    answer.catch(() => undefined);
    await opened.reached;
    const mandate = await sale.market.grant(sale.calm, 3 * PRICE);
    await sale.market.order(sale.calm, { booking: await sale.market.book(sale.calm, 3), mandate });
    await sale.market.revoke(sale.calm, sale.wanted.mandate);
    opened.open();
    await seats.reached;
    while (!(await typesOfMandate()).includes('MandateChargeRefused')) await new Promise(setImmediate);
    seats.open(); // they are refused after the money
    await expect(answer).rejects.toMatchObject({ code: 'seats_unavailable' });
    expect(await typesOfMandate()).toEqual([
      'MandateCreated',
      'MandateRevoked',
      'MandateChargeRefused',
      'MandateReleased',
    ]);
    await sale.expectSound();
  });
});

describe('consumption and payment, of which any had come to pass', () => {
  it.each([
    ['recovery', recover],
    ['a revocation', () => sale.market.revoke(sale.calm, sale.wanted.mandate).then(recover)],
  ])('are completed by %s, and the ticket comes after both (rules 2 and 5)', async (_, finish) =>
    forEveryChoice(CONFIRM, async (held) => {
      const stopped = await stoppedBefore(held);
      expect(await sale.bookingNow()).toBe('checkout');
      await finish();
      expect(await sale.bookingNow()).toBe('ticketed');
      await sale.expectPaid(stopped);
    }),
  );
});

describe('release, seats and failure, of which any had come to pass', () => {
  it.each([
    ['recovery', recover],
    ['a revocation', () => sale.market.revoke(sale.calm, sale.wanted.mandate).then(recover)],
  ])('are completed by %s, and the booking is free after all of them (rules 2 and 5)', async (_, finish) =>
    forEveryChoice(CANCEL, async (held) => {
      const stopped = await stoppedBefore(held, 'declined');
      expect(await sale.bookingNow()).toBe('checkout');
      await finish();
      expect(await sale.bookingNow()).toBe('open');
      await sale.expectRefused(stopped, 'payment_declined');
    }),
  );
});

describe('a reservation that its revocation has read', () => {
  it('of a booking that another order has by now is over, and that order goes on (rule 9)', async () => {
    const { open: wake, answer: late } = await stoppedBefore(['charge']);
    const { intercept, reached, open } = gate('before', 'read booking');
    const revocation = sale.market.revoke(sale.market.process({ intercept }), sale.wanted.mandate);
    await reached;
    await recover();
    wake();
    await expect(late).rejects.toThrow();
    const mandate = await sale.market.grant(sale.calm, PRICE);
    const next = await sale.stoppedOrder('before', 'charge', { booking: sale.wanted.booking, mandate });
    const { orderId } = await sale.checkoutNow();
    open();
    expect(await revocation).toMatchObject({ status: 'revoked', reserved: { amount: 0 }, consumed: { amount: 0 } });
    expect(await loadBooking(sale.calm.aggregates, sale.wanted.booking)).toMatchObject({ checkout: { orderId } });
    next.open();
    expect(await next.answer).toMatchObject({ id: orderId, status: 'paid' });
    expect(await sale.typesOf(orders.streamOf(orderId))).toEqual(['OrderPlaced', 'OrderPaid']);
    await sale.expectSound();
  });
});
