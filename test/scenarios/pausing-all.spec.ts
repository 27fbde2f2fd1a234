import { delegations, isPaused, mandates, pauses } from '#mandate';
import { CHARGE_SCOPES, systemContext } from '#kernel';
import { AlignAgentHandler } from '../../libs/mandate/src/testing/index.js';
import { AlignAgent } from '#mandate';
import { capturedOrders } from '../support/books.js';
import { counting, failing, gate } from '../support/gate.js';
import { AGENT, PRICE } from '../support/market.js';
import { Sale } from './sale.js';

let sale: Sale;
beforeEach(async () => {
  sale = await Sale.open(6);
});
afterEach(() => sale.market.close());

const OTHER = { holder: AGENT.holder, clientId: 'other' };
const mandateNow = async (id: string) => {
  const { state } = await sale.calm.aggregates.load(mandates, id);
  if (state.kind !== 'granted') throw new Error(`the mandate is ${state.kind}`);
  return state;
};
const phase = async () => (await sale.calm.aggregates.load(pauses, AGENT.holder)).state.phase;
const ordering = async (mandate: string | undefined, process = sale.calm) =>
  sale.market.order(process, { booking: await sale.market.book(sale.calm), mandate });

describe('pausing everything (rule 41)', () => {
  it('refuses openings and reservations of every agent, in every process, and costs an order no further call', async () => {
    const elsewhere = sale.market.process();
    const callsOf = async () => {
      const counts = new Map<string, number>();
      const wanted = { booking: await sale.market.book(sale.calm), mandate: await sale.market.grant(sale.calm, PRICE) };
      await sale.market.order(sale.market.process({ intercept: counting(counts) }), wanted);
      return counts;
    };
    const before = await callsOf();
    await sale.market.order(elsewhere, sale.wanted); // what it knows of the mandate is old by now
    await sale.market.pauseAll(sale.calm);
    await sale.market.pauseAll(sale.calm);
    expect(await phase()).toBe('paused');
    for (const process of [elsewhere, sale.calm]) {
      await expect(ordering(sale.wanted.mandate, process)).rejects.toMatchObject({
        code: 'mandate_paused',
        details: { allAgents: true },
      });
      await expect(ordering(undefined, process)).rejects.toMatchObject({ code: 'agents_paused' });
      await expect(sale.market.grant(process, PRICE)).rejects.toMatchObject({ code: 'agents_paused' });
    }
    const { state: other } = await elsewhere.aggregates.load(delegations, OTHER);
    expect(other).toMatchObject({ pauseOfAll: { pause: 1, isOn: true } });
    await sale.market.resumeAll(elsewhere);
    expect(await callsOf()).toEqual(before);
    expect(await ordering(sale.wanted.mandate)).toMatchObject({ status: 'paid' });
    await sale.expectSound();
  });

  it('is undone without what was paused by itself, before or meanwhile', async () => {
    const [before, meanwhile] = [await sale.market.grant(sale.calm, PRICE), await sale.market.grant(sale.calm, PRICE)];
    await sale.market.pause(sale.calm, before);
    await sale.market.pauseAll(sale.calm);
    await sale.market.pause(sale.calm, meanwhile);
    await sale.market.pauseAll(sale.calm);
    await sale.market.resume(sale.calm, sale.wanted.mandate); // it is not paused by itself
    expect(isPaused(await mandateNow(sale.wanted.mandate))).toBe(true);
    await sale.market.resumeAll(sale.calm);
    await sale.market.resumeAll(sale.calm);
    const paused = [before, meanwhile, sale.wanted.mandate].map(async (id) => isPaused(await mandateNow(id)));
    expect(await Promise.all(paused)).toEqual([true, true, false]);
    await sale.market.pauseAll(sale.calm);
    await sale.market.resume(sale.calm, before);
    expect(isPaused(await mandateNow(before))).toBe(true);
    await sale.market.resumeAll(sale.calm);
    expect(isPaused(await mandateNow(before))).toBe(false);
    await sale.expectSound();
  });

  it.each(['append MandateReserved', 'charge', 'ledger: insert payment-ledger'])(
    'settles the order under way before it answers, and nothing is captured after it: the order stood before %s',
    async (call) => {
      const { answer, open } = await sale.stoppedOrder('before', call);
      await sale.market.pauseAll(sale.calm);
      expect(await mandateNow(sale.wanted.mandate)).toMatchObject({ reservations: [], consumed: 0 });
      open();
      await expect(answer).rejects.toMatchObject({ code: 'mandate_paused' });
      expect(capturedOrders(await sale.market.books())).toEqual([]);
      await sale.expectSound();
    },
  );

  it('gives up a mandate that was opened and never created', async () => {
    const { intercept, reached, open } = gate('before', 'append MandateCreated');
    const mandateId = sale.market.stores.ids.next();
    const creation = sale.market.grant(sale.market.process({ intercept }), PRICE, { mandateId });
    creation.catch(() => undefined);
    await reached;
    await sale.market.pauseAll(sale.calm);
    open();
    await expect(creation).rejects.toMatchObject({ code: 'agents_paused' });
    expect(await sale.typesOf(mandates.streamOf(mandateId))).toEqual(['MandateAbandoned']);
    await sale.expectSound();
  });

  it('reaches what its traveller has approved and nobody has created yet', async () => {
    await sale.market.setMode(sale.calm, true);
    const mandateId = await sale.market.grant(sale.calm, PRICE);
    const { intercept, reached, open } = gate('before', 'append MandateCreated');
    const { limit } = await mandateNow(mandateId);
    const approved = sale.market.approve(sale.market.process({ intercept }), mandateId, limit, 30);
    await reached;
    await sale.market.pauseAll(sale.calm);
    open();
    await approved;
    await expect(ordering(mandateId)).rejects.toMatchObject({ code: 'mandate_paused' });
    await sale.expectSound();
  });

  it('and an agent let in at that moment find each other, whichever comes first', async () => {
    const late = { holder: AGENT.holder, clientId: 'late' };
    const letIn = async (pause?: number) => {
      const authorize = { type: 'AuthorizeAgent', ...late, grantId: 'g', scopes: CHARGE_SCOPES, pause } as const;
      const context = { ...systemContext('a test'), actor: late };
      await sale.calm.aggregates.handle(delegations, late, authorize, context);
      return () => sale.calm.the(AlignAgentHandler).execute(new AlignAgent(late, context));
    };
    const pauseOfAll = async () => {
      const { state } = await sale.calm.aggregates.load(delegations, late);
      return state.status === 'unknown' ? undefined : state.pauseOfAll;
    };
    await sale.market.pauseAll(sale.calm);
    const align = await letIn(); // it did not see the pause
    expect(await pauseOfAll()).toBeUndefined();
    await align();
    expect(await pauseOfAll()).toEqual({ pause: 1, isOn: true });
    await sale.market.resumeAll(sale.calm);
    expect(await pauseOfAll()).toEqual({ pause: 1, isOn: false });
    await sale.market.pauseAll(sale.calm); // it is seen by the pause
    expect(await pauseOfAll()).toEqual({ pause: 2, isOn: true });
    await sale.market.resumeAll(sale.calm);
    await letIn(2); // late: that pause was undone, and stops nothing again, should nobody come to align it
    expect(await pauseOfAll()).toEqual({ pause: 2, isOn: false });
    const undone = await letIn(3); // a pause that was undone before it is aligned
    await sale.market.pauseAll(sale.calm);
    await sale.market.resumeAll(sale.calm);
    await undone();
    expect(await pauseOfAll()).toMatchObject({ isOn: false });
  });

  it('that broke off is no pause yet, and goes on where it is pressed again', async () => {
    const broken = sale.market.process({ intercept: failing('before', 'append MandatePaused') });
    await expect(sale.market.pauseAll(broken)).rejects.toThrow();
    expect(await phase()).toBe('starting');
    await sale.market.pauseAll(sale.calm);
    expect(await phase()).toBe('paused');
    expect(isPaused(await mandateNow(sale.wanted.mandate))).toBe(true);
  });

  it('that is undone while it is under way leaves nothing paused', async () => {
    const { intercept, reached, open } = gate('before', 'append MandatePaused');
    const pausing = sale.market.pauseAll(sale.market.process({ intercept }));
    await reached;
    await sale.market.resumeAll(sale.calm);
    open();
    await pausing;
    expect(await phase()).toBe('resumed');
    expect(await ordering(sale.wanted.mandate)).toMatchObject({ status: 'paid' });
    expect(await sale.market.grant(sale.calm, PRICE)).toBeTruthy();
    await sale.expectSound();
  });
});
