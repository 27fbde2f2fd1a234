import { openForEach } from '#testing';
import { systemContext } from '#kernel';
import { finishCheckout } from '../../libs/checkout/src/testing/index.js';
import { gate } from '../support/gate.js';
import { CARDS } from '../support/market.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';
import { SkewedClock } from '../support/skewed-clock.js';

/** How often (ms) a runner prolongs its lease, and after how long without that others take it for gone. */
const [BEAT, PATIENCE] = [2_000, 8_000];

/** The clock of a process that watches: its timer runs as a test says, whatever the time of day is. */
class WatchingClock extends SkewedClock {
  passed = 0;

  override monotonic(): number {
    return this.passed;
  }
}

const sale = openForEach(() => Sale.open());
let clock: WatchingClock;
let worker: ReturnType<LogicalProcess['newRecovery']>;
beforeEach(() => {
  watching();
});

const watching = (skew = 0): void => {
  clock = new WatchingClock(sale.market.stores.clock, skew);
  worker = sale.market.process({ clock }).newRecovery();
};
/** Rounds of the worker, `every` ms of its own timer, for `milliseconds`. */
const watch = async (milliseconds: number, every = BEAT / 2): Promise<void> => {
  await sale.market.stores.caughtUp();
  for (const end = clock.passed + milliseconds; clock.passed < end; clock.passed += every) await worker.round();
};
/** A process that keeps a lease, and an order of it that stands still at a call. */
const runningOrder = async (where: 'before' | 'after', call: string, card: keyof typeof CARDS = 'good') => {
  const { intercept, reached, open } = gate(where, call);
  const process = sale.market.process({ intercept });
  await process.runner.start();
  process.runner.stop(); // it beats when the test says so
  const answer = sale.market.order(process, { ...sale.wanted, card });
  answer.catch(() => undefined);
  await reached;
  return { runner: process.runner, answer, open };
};

describe('a process that runs checkouts, and its lease (rule 8)', () => {
  it.each(['BookingCheckoutStarted', 'SeatsHeld', 'MandateReserved'])(
    'is killed after %s: its order ends as soon as its lease has stood still, long before the hold is over',
    async (last) => {
      await runningOrder('after', `append ${last}`);
      await watch(PATIENCE);
      expect(await sale.bookingNow()).toBe('checkout');
      await watch(BEAT);
      await sale.expectFree();
    },
  );

  it('is killed after the charge: its order is paid as soon', async () => {
    await runningOrder('after', 'ledger: insert payment-ledger');
    await watch(PATIENCE + BEAT);
    expect(await sale.bookingNow()).toBe('ticketed');
    await sale.expectSound();
  });

  it('lives as long as it prolongs its lease, and its order runs on for as long as its hold', async () => {
    const stopped = await runningOrder('after', 'append SeatsHeld');
    for (let beat = 0; beat < 20; beat += 1) {
      await watch(BEAT);
      await stopped.runner.beat();
    }
    expect(await sale.bookingNow()).toBe('checkout');
    await sale.expectPaid(stopped);
  });

  it('is watched by a timer: it makes no difference that the watcher’s clock is an hour behind', async () => {
    watching(-3_600_000);
    const { runner } = await runningOrder('after', 'append SeatsHeld');
    await watch(PATIENCE);
    await runner.beat();
    await watch(PATIENCE);
    expect(await sale.bookingNow()).toBe('checkout');
    await watch(BEAT);
    await sale.expectFree();
  });

  it('is not taken for gone by who could not look: its order runs on after ten seconds without documents', async () => {
    let isOff = false;
    worker = sale.market
      .process({
        clock,
        intercept: (call, work) => (isOff && call === 'get leases' ? Promise.reject(new Error('no answer')) : work()),
      })
      .newRecovery();
    const { runner, answer, open } = await runningOrder('after', 'append SeatsHeld');
    await watch(BEAT);
    isOff = true;
    for (const end = clock.passed + 10_000; clock.passed < end; clock.passed += BEAT)
      await expect(worker.round()).rejects.toThrow('no answer');
    isOff = false;
    await watch(BEAT); // before its first beat
    await runner.beat();
    await watch(PATIENCE);
    expect(await sale.bookingNow()).toBe('checkout');
    open();
    expect(await answer).toMatchObject({ status: 'paid' });
    await sale.expectSound();
  });

  it('stood still and comes back: what was released stays released', async () => {
    const stopped = await runningOrder('before', 'append MandateReserved');
    await watch(PATIENCE + BEAT);
    expect(await sale.bookingNow()).toBe('open');
    await sale.expectRefused(stopped, 'service_unavailable');
  });

  it('is gone, and an order that waits for its holder goes on waiting', async () => {
    await runningOrder('after', 'append PaymentChallenged', 'challenged');
    await watch(PATIENCE + BEAT);
    expect(await sale.bookingNow()).toBe('checkout');
  });

  it('keeps none where it is alone, and its orders wait for the end of their hold', async () => {
    await sale.stoppedOrder('after', 'append SeatsHeld');
    await watch(2 * PATIENCE);
    expect(await sale.bookingNow()).toBe('checkout');
    sale.past(SETTINGS.hold);
    await watch(BEAT);
    await sale.expectFree();
  });

  it('is gone, and nobody ends the booking’s next order by a list that is behind', async () => {
    await runningOrder('after', 'append SeatsHeld');
    await watch(PATIENCE);
    await sale.market.stores.readModels.stop(); // the list stands still
    const ending = { checkout: await sale.checkoutNow(), failure: 'service_unavailable' } as const;
    await finishCheckout(sale.calm.checkouts, ending, systemContext('a test'));
    const stopped = await sale.stoppedOrder('after', 'append SeatsHeld');
    clock.passed += BEAT;
    await worker.round();
    expect(await sale.bookingNow()).toBe('checkout');
    await sale.expectPaid(stopped);
  });
});
