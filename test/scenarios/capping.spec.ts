import { delegations, endedUnder, mandates, SetSpendingCap, usedOf } from '#mandate';
import { StoreUnavailable } from '#event-store';
import { type Money, money, systemContext } from '#kernel';
import { Recorder } from '../chaos/steps.js';
import { capturedOrders } from '../support/books.js';
import { counting, failing, gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, PRICE } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';

let sale: Sale;
beforeEach(async () => {
  sale = await Sale.open(6);
});
afterEach(() => sale.market.close());

const brl = (amount: number): Money => money(amount, 'BRL');
const setCap = (process: LogicalProcess, cap: Money | null) => sale.market.setCap(process, cap);
const delegation = async () => (await sale.calm.aggregates.load(delegations, AGENT)).state;
const mandateEvents = (mandate = sale.wanted.mandate) => sale.typesOf(mandates.streamOf(mandate));

/** The mandate of the sale (two trips) is over and closed; the agent may spend a cap of one trip. */
const expectClosed = async (): Promise<void> => {
  expect(await delegation()).toMatchObject({ status: 'authorized', openMandates: {}, ending: [], cap: brl(PRICE) });
  expect((await mandateEvents()).at(-1)).toMatch(/^Mandate(Revoked|Released|Consumed)$/);
};

const expectEnded = async (): Promise<void> => {
  await expectClosed();
  await sale.expectSound();
};

describe('setting a cap (rule 28)', () => {
  it('ends what it leaves no room for before it answers, oldest kept, and writes nothing the second time', async () => {
    const [small, other] = [await sale.market.grant(sale.calm, PRICE), await sale.market.grant(sale.calm, PRICE)];
    const dollars = await sale.market.grant(sale.calm, money(1, 'USD'));
    const calls: string[] = [];
    const observed = sale.market.process({
      intercept: (call, work) => {
        if (call.startsWith('append')) calls.push(call);
        return work();
      },
    });
    await setCap(observed, brl(PRICE));
    const end = ['append MandateRevoked', 'append MandateClosed'];
    expect(calls).toEqual(['append SpendingCapSet', ...end, ...end, ...end]);
    expect(await delegation()).toMatchObject({ openMandates: { [small]: {} }, ending: [] });
    for (const ended of [sale.wanted.mandate, other, dollars])
      expect((await mandateEvents(ended)).at(-1)).toBe('MandateRevoked');
    await setCap(observed, brl(PRICE));
    expect(calls).toHaveLength(7);
    expect(await sale.market.order(sale.calm, { ...sale.wanted, mandate: small })).toMatchObject({ status: 'paid' });
    await sale.expectSound();
  });

  it.each(['append MandateReserved', 'charge', 'ledger: insert payment-ledger'])(
    'settles the order under way before it answers, and nothing is captured after it: the order stood before %s (rule 9)',
    async (call) => {
      const { answer, open } = await sale.stoppedOrder('before', call);
      await setCap(sale.calm, brl(PRICE));
      await expectClosed();
      expect(usedOf(await delegation(), 'BRL').amount).toBe(0);
      open();
      await expect(answer).rejects.toMatchObject({ code: 'mandate_revoked' });
      expect(capturedOrders(await sale.market.books())).toEqual([]);
      await expectEnded();
    },
  );

  it('books what was captured before it, counts that, and ends what no longer fits beside it', async () => {
    const cheap = await sale.market.grant(sale.calm, 1_00);
    const { answer, open } = await sale.stoppedOrder('after', 'ledger: insert payment-ledger');
    await setCap(sale.calm, brl(PRICE));
    open();
    expect(await answer).toMatchObject({ status: 'paid' });
    await expectEnded();
    expect((await mandateEvents(cheap)).at(-1)).toBe('MandateRevoked');
    expect(usedOf(await delegation(), 'BRL').amount).toBe(PRICE);
  });

  it('was told before as it comes: what goes first, and what goes because of what that had spent', async () => {
    const [cheap, other] = [await sale.market.grant(sale.calm, 1_00), await sale.market.grant(sale.calm, 2_00)];
    await sale.market.order(sale.calm, sale.wanted);
    const told = async (cap: number) => endedUnder(sale.calm.aggregates, await delegation(), brl(cap));
    expect(await told(2 * PRICE + 3_00)).toEqual([]);
    expect(await told(PRICE + 1_00)).toEqual([brl(2 * PRICE), brl(2_00)]);
    expect(await told(PRICE)).toEqual([brl(2 * PRICE), brl(1_00), brl(2_00)]);
    await setCap(sale.calm, brl(PRICE + 1_00));
    expect(await delegation()).toMatchObject({ openMandates: { [cheap]: {} }, ending: [] });
    expect((await mandateEvents(other)).at(-1)).toBe('MandateRevoked');
  });

  it('costs an order nothing: it makes the same calls with a cap as without', async () => {
    const callsOf = async () => {
      const counts = new Map<string, number>();
      const wanted = { booking: await sale.market.book(sale.calm), mandate: await sale.market.grant(sale.calm, PRICE) };
      await sale.market.order(sale.market.process({ intercept: counting(counts) }), wanted);
      return counts;
    };
    const before = await callsOf();
    await setCap(sale.calm, brl(100 * PRICE));
    expect(await callsOf()).toEqual(before);
  });
});

describe('a cap that broke off (rule 28)', () => {
  /** An order stands before its charge, and the traveller sets a cap of less than its mandate. */
  const begun = async (): Promise<void> => {
    await sale.market.grant(sale.calm, 2 * PRICE);
    await sale.stoppedOrder('before', 'charge');
  };

  it('at any of its writes is finished by the recovery worker, and by the same cap set again', async () => {
    await begun();
    const recorder = new Recorder();
    await setCap(sale.market.process({ intercept: recorder.intercept }), brl(PRICE));
    const steps = recorder.steps();
    expect(steps.map(({ call }) => call)).toEqual(
      expect.arrayContaining([
        'append SpendingCapSet',
        'append MandateRevoked',
        'append MandateReleased',
        'append MandateClosed',
      ]),
    );
    for (const { where, call } of steps) {
      for (const takeUp of ['recovery', 'the same cap'] as const) {
        await sale.market.close();
        sale = await Sale.open();
        await begun();
        const broken = sale.market.process({ intercept: failing(where, call) });
        await expect(setCap(broken, brl(PRICE))).rejects.toThrow();
        sale.past(0);
        const isSet = (await sale.typesOf(delegations.streamOf(AGENT))).includes('SpendingCapSet');
        if (takeUp === 'recovery' && isSet) await sale.market.recover(sale.calm);
        else await setCap(sale.calm, brl(PRICE));
        await expectClosed();
        // An order whose money is released has nothing of the mandate any more: its seats are free when its time is over.
        sale.past(SETTINGS.hold);
        await sale.market.recover(sale.calm);
        await expectEnded();
      }
    }
  });
});

describe('a mandate that a cap refuses', () => {
  it('is refused for that, whether or not it can be written down for the auditors', async () => {
    await setCap(sale.calm, brl(2 * PRICE));
    const noAnswer = () => Promise.reject(new StoreUnavailable('no answer'));
    const process = sale.market.process({
      intercept: (call, work) => (call === 'append CapRefused' ? noAnswer() : work()),
    });
    await expect(sale.market.grant(process, 3 * PRICE)).rejects.toMatchObject({ code: 'mandate_cap_exceeded' });
  });
});

describe('a mandate asked for while a cap is set (rule 28)', () => {
  it('that was opened and not created is abandoned, and answers that the cap is exceeded', async () => {
    const { intercept, reached, open } = gate('before', 'append MandateCreated');
    const mandateId = sale.market.stores.ids.next();
    const creation = sale.market.grant(sale.market.process({ intercept }), 2 * PRICE, { mandateId });
    creation.catch(() => undefined);
    await reached;
    await setCap(sale.calm, brl(PRICE));
    expect(await mandateEvents(mandateId)).toEqual(['MandateAbandoned']);
    open();
    await expect(creation).rejects.toMatchObject({
      code: 'mandate_cap_exceeded',
      details: { cap: brl(PRICE), used: brl(0), available: brl(PRICE) },
    });
    await expectEnded();
  });

  it('that is created between the cap and its end is revoked', async () => {
    const first = gate('before', 'append MandateCreated');
    const mandateId = sale.market.stores.ids.next();
    const creation = sale.market.grant(sale.market.process(first), 2 * PRICE, { mandateId });
    await first.reached;
    const second = gate('before', 'append MandateAbandoned');
    const capped = setCap(sale.market.process(second), brl(PRICE));
    await second.reached;
    first.open();
    expect(await creation).toBe(mandateId);
    second.open();
    await capped;
    expect(await mandateEvents(mandateId)).toEqual(['MandateCreated', 'MandateRevoked']);
    await expectEnded();
  });

  it('is either ended or within the cap: many are asked for at once', async () => {
    const askers = [sale.calm, sale.market.process()] as const;
    const grants = Array.from({ length: 12 }, (_, n) => sale.market.grant(askers[n % 2 ? 0 : 1], PRICE));
    await Promise.allSettled([
      ...grants.slice(0, 6),
      setCap(sale.market.process(), brl(4 * PRICE)),
      ...grants.slice(6),
    ]);
    const state = await delegation();
    expect(usedOf(state, 'BRL').amount).toBe(4 * PRICE);
    const { events } = await sale.market.books();
    const created = events.filter(({ type }) => type === 'MandateCreated').length;
    const revoked = events.filter(({ type }) => type === 'MandateRevoked').length;
    expect(created - revoked).toBe(state.status === 'unknown' ? 0 : Object.keys(state.openMandates).length);
    await sale.expectSound();
  });
});

describe('a cap set while orders run (rule 28)', () => {
  it('lets nothing above it be captured once it is answered, whichever write of an order it meets', async () => {
    const recorder = new Recorder();
    await sale.market.order(sale.market.process({ intercept: recorder.intercept }), sale.wanted);
    for (const { where, call } of recorder.steps()) {
      await sale.market.close();
      sale = await Sale.open(6);
      const { answer, open } = await sale.stoppedOrder(where, call);
      await setCap(sale.calm, brl(1_00));
      const captured = capturedOrders(await sale.market.books());
      open();
      await answer.catch(() => undefined);
      const again = { booking: await sale.market.book(sale.calm), mandate: sale.wanted.mandate };
      await expect(sale.market.order(sale.calm, again)).rejects.toMatchObject({ code: 'mandate_revoked' });
      sale.past(SETTINGS.hold);
      await sale.market.recover(sale.calm);
      expect([where, call, capturedOrders(await sale.market.books())]).toEqual([where, call, captured]);
      await sale.expectSound();
    }
  });
});

describe('a cap for an agent that was never let in', () => {
  it('writes nothing', async () => {
    const before = (await sale.market.books()).events.length;
    await sale.calm.setSpendingCap.execute(new SetSpendingCap('ana', 'nobody', brl(1), systemContext('a test')));
    expect((await sale.market.books()).events).toHaveLength(before);
  });
});
