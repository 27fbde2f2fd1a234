import { openForEach } from '#testing';
import { AppendOutcomeUnknown, StoreUnavailable } from '#event-store';
import { systemContext } from '#kernel';
import { finishCheckout } from '../../libs/checkout/src/testing/index.js';
import { counting, failing } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { FLIGHT } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';
import { flights } from '#catalog';
import { bookings } from '#booking';
import { mandates } from '#mandate';
import { orders } from '#order';

const sale = openForEach(() => Sale.open());

/** Has a recovery worker look after what is open, long enough afterwards. */
const recover = (process = sale.calm) => {
  sale.past(SETTINGS.hold);
  return sale.market.recover(process);
};

describe('an order that is settled while its request is on the way to the processor', () => {
  it('captures nothing when the charge arrives: closing forbids it for ever (rule 4)', async () => {
    // Checked, and about to be captured.
    const stopped = await sale.stoppedOrder('before', 'ledger: insert payment-ledger');
    await recover();
    await sale.expectRefused(stopped, 'service_unavailable');
  });
});

describe('settling', () => {
  /** Settles the open checkout in five processes at once; returns its order. */
  const finishOnFive = async (): Promise<string> => {
    const checkout = await sale.checkoutNow();
    const processes = Array.from({ length: 5 }, () => sale.market.process());
    const ends = await Promise.all(
      processes.map(({ checkouts }) =>
        finishCheckout(checkouts, { checkout, failure: 'service_unavailable' }, systemContext('a test')),
      ),
    );
    const [first, ...others] = ends.map(({ order }) => order);
    for (const other of others) expect(other).toEqual(first);
    return checkout.orderId;
  };

  it('side by side, after the capture, ends one way for all: paid, with one ticket (rule 5)', async () => {
    await sale.stoppedOrder('after', 'ledger: insert payment-ledger');
    const orderId = await finishOnFive();
    expect(await sale.typesOf(orders.streamOf(orderId))).toEqual(['OrderPlaced', 'OrderPaid']);
    expect(await sale.typesOf(bookings.streamOf(sale.wanted.booking))).toEqual([
      'BookingCreated',
      'BookingCheckoutStarted',
      'BookingTicketed',
    ]);
    await sale.expectSound();
  });

  it('side by side, before the capture, ends one way for all: failed, and everything free (rule 5)', async () => {
    await sale.stoppedOrder('before', 'charge');
    const orderId = await finishOnFive();
    expect(await sale.typesOf(orders.streamOf(orderId))).toEqual(['OrderPlaced', 'OrderFailed']);
    await sale.expectFree();
  });

  it('tickets the booking with the code that the order was paid with, whoever drew it (rule 22)', async () => {
    const stopped = await sale.stoppedOrder('before', 'append BookingTicketed');
    const ending = { checkout: await sale.checkoutNow(), failure: 'service_unavailable' } as const;
    await finishCheckout(sale.calm.checkouts, ending, systemContext('a test'));
    expect(await sale.bookingNow()).toBe('ticketed');
    await sale.expectPaid(stopped);
  });

  it('draws no ticket code for an order that has one', async () => {
    await sale.stoppedOrder('after', 'append OrderPaid');
    const counts = new Map<string, number>();
    await recover(sale.market.process({ intercept: counting(counts) }));
    expect([counts.get('append BookingTicketed'), counts.get('append TicketBlockLeased')]).toEqual([1, undefined]);
    await sale.expectSound();
  });

  it('charges nothing, whatever there is to settle (rule 5)', async () => {
    await sale.stoppedOrder('before', 'charge');
    const counts = new Map<string, number>();
    await recover(sale.market.process({ intercept: counting(counts) }));
    expect([counts.get('close'), counts.get('charge'), counts.get('capture')]).toEqual([1, undefined, undefined]);
  });

  it('places and fails an order that was never placed, in one append: nobody places it later (rule 5)', async () => {
    const stopped = await sale.stoppedOrder('before', 'append OrderPlaced');
    const counts = new Map<string, number>();
    await recover(sale.market.process({ intercept: counting(counts) }));
    expect(counts.get('append OrderPlaced+OrderFailed')).toBe(1);
    await sale.expectRefused(stopped, 'service_unavailable');
  });
});

describe('a request that goes on after its order was settled', () => {
  it.each(['append SeatsHeld', 'append OrderPlaced', 'append MandateReserved', 'charge'])(
    'holds nothing that nobody would release: it stood before %s (rule 6)',
    async (call) => {
      const stopped = await sale.stoppedOrder('before', call);
      await recover();
      await sale.expectRefused(stopped, expect.stringMatching(/unavailable$/));
    },
  );

  it('is paid if it was captured before: it stood before append MandateConsumed (rule 6)', async () => {
    const stopped = await sale.stoppedOrder('before', 'append MandateConsumed');
    await recover();
    await sale.expectPaid(stopped);
  });

  it.each([
    ['seats', 'SeatsHeld', () => flights.streamOf(FLIGHT)],
    ['money', 'MandateReserved', () => mandates.streamOf(sale.wanted.mandate)],
  ])('holds no %s later than its checkout may, though nobody has settled it yet (rule 6)', async (_, next, of) => {
    const { answer, open } = await sale.stoppedOrder('after', 'append BookingCheckoutStarted');
    sale.past(SETTINGS.hold);
    open();
    await expect(answer).rejects.toMatchObject({ code: expect.stringMatching(/unavailable$/) });
    expect(await sale.typesOf(of())).not.toContain(next);
    await sale.expectFree();
  });
});

describe('an answer that does not come', () => {
  /** Orders from a process that cannot know what came of it; returns what recovery finds. */
  const typesOfUnknown = async (unlucky: LogicalProcess): Promise<readonly string[]> => {
    const orderId = sale.market.stores.ids.next();
    const answer = sale.market.order(unlucky, { ...sale.wanted, orderId });
    await expect(answer).rejects.toMatchObject({ name: 'OrderOutcomeUnknown', orderId });
    await recover();
    return sale.typesOf(orders.streamOf(orderId));
  };

  it.each(['charge', 'ledger: insert payment-ledger'])(
    'is no refusal: %s was done, and the order is paid (rule 7)',
    async (call) => {
      const unlucky = sale.market.process({ intercept: failing('after', call) });
      expect(await sale.market.order(unlucky, sale.wanted)).toMatchObject({ status: 'paid' });
      await sale.expectSound();
    },
  );

  it('leaves the order to be looked up where nobody knows whether its checkout was opened (rule 7)', async () => {
    let attempts = 0;
    const unlucky = sale.market.process({
      intercept: async (call, work) => {
        if (call !== 'append BookingCheckoutStarted') return work();
        attempts += 1;
        if (attempts > 1) throw new StoreUnavailable('no connection');
        await work();
        throw new AppendOutcomeUnknown('no answer');
      },
    });
    expect(await typesOfUnknown(unlucky)).toEqual(['OrderPlaced', 'OrderFailed']);
    await sale.expectFree();
  });

  it('leaves the order to be looked up where the ledger cannot be asked either: 503 with its id (rule 7)', async () => {
    const unlucky = sale.market.process({ intercept: failing('after', 'charge', 'close') });
    expect(await typesOfUnknown(unlucky)).toEqual(['OrderPlaced', 'OrderPaid']);
    await sale.expectSound();
  });
});
