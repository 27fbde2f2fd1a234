import { openForEach } from '#testing';
import { CheckoutRecovery, UNINSTRUMENTED } from '#checkout';
import { Leases, LEASES } from '#documents';
import { systemContext } from '#kernel';
import { ReadModels } from '#read-models';
import { finishCheckout } from '../../libs/checkout/src/testing/index.js';
import { counting, gate } from '../support/gate.js';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';
import { SkewedClock } from '../support/skewed-clock.js';

/** A clock whose sleepers wake when a test says so. */
class BeatingClock extends SkewedClock {
  private sleeping: (() => void)[] = [];

  override sleep(_: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      this.sleeping.push(wake);
      signal?.addEventListener('abort', () => wake());
    });
  }

  beat(): void {
    for (const wake of this.sleeping.splice(0)) wake();
  }
}

/** A clock whose pauses end when a test says so. */
class PausingClock extends SkewedClock {
  readonly waiting: (() => void)[] = [];

  override after(_: number, callback: () => void): () => void {
    this.waiting.push(callback);
    return () => void this.waiting.splice(this.waiting.indexOf(callback), 1);
  }
}

/** A clock whose timer stands still, so that nothing that backed off is ever due. */
class StandingClock extends SkewedClock {
  override monotonic(): number {
    return 1;
  }
}

const MINUTE = 60_000;
const sale = openForEach(() => Sale.open());
/** The order of a killed process, when its hold is over. */
const overdueAfter = async (type: string): Promise<void> => {
  await sale.stoppedOrder('after', `append ${type}`);
  sale.past(SETTINGS.hold);
  await sale.market.stores.caughtUp();
};

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

  it('deletes what has expired once, where documents and read models are one store', async () => {
    const { calm } = sale;
    const { stores } = sale.market;
    let sweeps = 0;
    const store = new MemoryDocuments(stores.clock);
    store.deleteExpired = () => Promise.resolve((sweeps += 1));
    const readModels = new ReadModels(stores.events, store, [], stores.clock, () => undefined);
    const parts = [calm.checkouts, store, store, readModels, calm.the(Leases), stores.ids] as const;
    await new CheckoutRecovery(...parts, { ...UNINSTRUMENTED, onError: () => undefined }).round();
    expect(sweeps).toBe(1);
  });

  it('works where it has the lease, and another one once that has ended (rule 8)', async () => {
    await sale.stoppedOrder('after', 'append SeatsHeld');
    sale.past(SETTINGS.hold - SETTINGS.recoveryLease / 2);
    await sale.market.recover(sale.calm); // takes the lease, before the checkout is due
    const other = sale.market.process();
    await sale.market.recover(other);
    sale.past(SETTINGS.recoveryLease / 2);
    await sale.market.recover(other);
    expect(await sale.bookingNow()).toBe('checkout');
    sale.past(SETTINGS.recoveryLease / 2);
    await sale.market.recover(other);
    await sale.expectFree();
  });

  it('keeps its lease through a round of any length, and stops once another one has it (rule 8)', async () => {
    const both = [sale.wanted.booking, await sale.market.book(sale.calm)];
    for (const booking of both) await sale.stoppedOrder('after', 'append SeatsHeld', { ...sale.wanted, booking });
    sale.past(SETTINGS.hold);
    await sale.market.stores.caughtUp();
    const clock = new BeatingClock(sale.market.stores.clock, 0);
    const { intercept, reached, open } = gate('before', 'close');
    const [slowCalls, otherCalls] = [new Map<string, number>(), new Map<string, number>()];
    const counted = counting(slowCalls);
    const slow = sale.market.process({ clock, intercept: (call, work) => counted(call, () => intercept(call, work)) });
    const other = sale.market.process({ intercept: counting(otherCalls) });
    const round = slow.newRecovery().round();
    await reached;

    for (let beat = 1; beat <= 4; beat += 1) {
      sale.past(SETTINGS.recoveryLease / 2);
      clock.beat();
      while ((slowCalls.get('replace leases') ?? 0) < beat) await new Promise(setImmediate);
      await other.newRecovery().round();
    }
    expect(otherCalls.get('close')).toBeUndefined();

    for (let look = 0; look < 2; look += 1) {
      sale.past(SETTINGS.recoveryLease / 2); // it misses its beat
      await other.newRecovery().round();
    }
    expect(otherCalls.get('close')).toBe(2);
    const asked = slowCalls.get('get leases') ?? 0;
    clock.beat();
    while ((slowCalls.get('get leases') ?? 0) === asked) await new Promise(setImmediate);
    await new Promise(setImmediate); // it knows
    open();
    await round;
    // Of the second one it does not even look whether it is open.
    expect([slowCalls.get('close'), slowCalls.get('read booking')]).toEqual([1, 2]);
    for (const booking of both) expect(await sale.bookingNow(booking)).toBe('open');
    await sale.expectFree();
  });

  it('forgets what it could not do once somebody else has done it: the booking’s next order does not wait (rule 8)', async () => {
    await overdueAfter('SeatsHeld');
    let hasAnswer = false;
    const failures: string[] = [];
    const unlucky = sale.market.process({
      clock: new StandingClock(sale.market.stores.clock, 0),
      intercept: (call, work) => (call === 'close' && !hasAnswer ? Promise.reject(new Error('no answer')) : work()),
      onError: (id) => failures.push(id),
    });
    const worker = unlucky.newRecovery();
    await worker.round();
    expect(failures).toEqual([sale.wanted.booking]);
    await worker.stop(); // gives the lease back
    await sale.market.recover(sale.calm);
    await sale.calm.newRecovery().stop();
    await sale.market.stores.caughtUp();
    await worker.round();
    hasAnswer = true;

    await overdueAfter('SeatsHeld');
    await worker.round();
    expect(await sale.bookingNow()).toBe('open');
    await sale.expectFree();
  });

  it('deletes the lease of a process that is gone, within some minutes of watching it', async () => {
    const { clock, documents } = sale.market.stores;
    await new Leases(documents, clock, 'gone').hold('runner gone', 8_000);
    const worker = sale.calm.newRecovery();
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await documents.get(LEASES.name, 'runner gone')).not.toBeNull();
      await worker.round();
      clock.advance(MINUTE);
    }
    expect(await documents.get(LEASES.name, 'runner gone')).toBeNull();
  });

  it('deletes what has expired, of the documents and of the read models, once a minute', async () => {
    const { clock, documents, readModelStore } = sale.market.stores;
    const stores = [documents, readModelStore];
    const worker = sale.calm.newRecovery();
    const expired = async () => {
      for (const store of stores) {
        await store.prepare({ name: 'fleeting', indexes: [] });
        await store.insert('fleeting', sale.market.stores.ids.next(), {}, { expiresAt: clock.now() });
      }
    };
    const left = async () => [await documents.deleteExpired(), await readModelStore.deleteExpired()];
    await left();
    await expired();
    await worker.round();
    expect(await left()).toEqual([0, 0]);
    await expired();
    clock.advance(MINUTE - 1);
    await worker.round();
    expect((await left()).every((count) => count > 0)).toBe(true);
    await expired();
    clock.advance(1);
    await worker.round();
    expect(await left()).toEqual([0, 0]);
  });

  it('looks for work round after round, whatever becomes of one, until it is stopped, and gives its lease back', async () => {
    const clock = new PausingClock(sale.market.stores.clock, 0);
    const failures: string[] = [];
    let isDown = true;
    const process = sale.market.process({
      clock,
      intercept: (call, work) => (isDown && call === 'get leases' ? Promise.reject(new Error('no answer')) : work()),
      onError: (id) => failures.push(id),
    });
    const worker = process.newRecovery();
    const roundIsOver = async () => {
      while (clock.waiting.length === 0) await new Promise(setImmediate);
    };
    await overdueAfter('SeatsHeld');
    worker.start();
    await roundIsOver();
    expect([failures, await sale.bookingNow()]).toEqual([['recovery'], 'checkout']);
    isDown = false;
    clock.waiting.pop()?.();
    await roundIsOver();
    expect(await sale.bookingNow()).toBe('open');
    await worker.stop();
    expect(clock.waiting).toEqual([]);
    expect(await sale.market.stores.documents.get(LEASES.name, 'recovery')).toBeNull();
  });

  it('believes the streams and not its list: what the list has open may be over (rule 8)', async () => {
    await overdueAfter('MandateReserved');
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
