import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemContext } from '#kernel';
import { finishCheckout } from '../../libs/order/src/testing/index.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';

let sale: Sale;
beforeEach(async () => {
  sale = await Sale.open();
});
afterEach(() => sale.market.close());

describe('the recovery worker', () => {
  it.each(['BookingCheckoutStarted', 'SeatsHeld', 'OrderPlaced', 'MandateReserved'])(
    'undoes what a request left behind that ended after %s (rule 8)',
    async (last) => {
      await sale.stoppedOrder('after', `append ${last}`);
      sale.past(SETTINGS.hold);
      await sale.market.recover(sale.calm);
      await sale.expectFree();
    },
  );

  it.each(['ledger: insert payment-ledger', 'append MandateConsumed', 'append OrderPaid'])(
    'finishes what a request left behind that ended after %s (rule 8)',
    async (last) => {
      await sale.stoppedOrder('after', last);
      sale.past(SETTINGS.hold);
      await sale.market.recover(sale.calm);
      expect(await sale.bookingNow()).toBe('ticketed');
      await sale.expectSound();
    },
  );

  it('takes nothing up before its time, and everything at the start of a process that is alone (rule 8)', async () => {
    await sale.stoppedOrder('after', 'append SeatsHeld');
    sale.market.stores.clock.advance(SETTINGS.hold - 1);
    await sale.market.recover(sale.calm);
    expect(await sale.bookingNow()).toBe('checkout');
    await sale.market.stores.caughtUp();
    expect(await sale.market.process().newRecovery().finishAll()).toBe(1);
    await sale.expectFree();
  });

  it('is held up by no order that it cannot settle; it backs off, and tries again later (rule 8)', async () => {
    const stuck = { ...sale.wanted, booking: await sale.market.book(sale.calm) };
    for (const one of [stuck, sale.wanted]) await sale.stoppedOrder('after', 'append SeatsHeld', one);
    sale.past(SETTINGS.hold);
    const failures: string[] = [];
    let refusals = 1;
    const unlucky = sale.market.process({
      intercept: (call, work) => (call === 'close' && refusals-- > 0 ? Promise.reject(new Error('no answer')) : work()),
      onError: (id) => failures.push(id),
    });
    await sale.market.stores.caughtUp();
    const worker = unlucky.newRecovery();
    for (let round = 0; round < 2; round += 1) {
      await worker.round();
      const kinds = await Promise.all([stuck, sale.wanted].map(({ booking }) => sale.bookingNow(booking)));
      expect([failures.length, kinds.sort()]).toEqual([1, ['checkout', 'open']]);
    }
    await sale.market.recover(unlucky);
    expect(failures).toHaveLength(1);
    await sale.expectFree();
  });

  it('works where it has the lease, and another one once that has ended (rule 8)', async () => {
    await sale.stoppedOrder('after', 'append SeatsHeld');
    sale.past(SETTINGS.hold - SETTINGS.recoveryLease / 2);
    await sale.market.recover(sale.calm); // takes the lease, before the checkout is due
    const other = sale.market.process();
    sale.past(SETTINGS.recoveryLease / 2);
    await sale.market.recover(other);
    expect(await sale.bookingNow()).toBe('checkout');
    sale.past(SETTINGS.recoveryLease / 2);
    await sale.market.recover(other);
    await sale.expectFree();
  });

  it('believes the streams and not its list: what the list has open may be over (rule 8)', async () => {
    await sale.stoppedOrder('after', 'append MandateReserved');
    sale.past(SETTINGS.hold);
    await sale.market.stores.caughtUp();
    const checkout = await sale.checkoutNow();
    await sale.market.stores.readModels.stop(); // the list stands still
    const ending = { checkout, failure: 'service_unavailable' } as const;
    await finishCheckout(sale.calm.checkouts, ending, systemContext('a test'));
    const paid = await sale.market.order(sale.calm, sale.wanted);
    await sale.calm.newRecovery().round();
    expect([paid.status, await sale.bookingNow()]).toEqual(['paid', 'ticketed']);
    await sale.expectSound();
  });
});
