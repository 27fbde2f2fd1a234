import { openForEach } from '#testing';
import { delegations, mandates, usedOf } from '#mandate';
import { money, plus, systemContext } from '#kernel';
import { AGENT, PRICE } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';
import { SkewedClock } from '../support/skewed-clock.js';

const MINUTE = 60_000;
const sale = openForEach(() => Sale.open());

const revoke = () => sale.market.revoke(sale.calm, sale.wanted.mandate);
const mandateEvents = (mandate = sale.wanted.mandate) => sale.typesOf(mandates.streamOf(mandate));
/** Cents that count against a cap: what the agent's mandates may still spend, and what was spent. */
const usedInDelegation = async (): Promise<number> => {
  const { state } = await sale.calm.aggregates.load(delegations, { holder: AGENT.holder, clientId: AGENT.clientId });
  return usedOf(state, 'BRL').amount;
};

describe('a revocation', () => {
  it.each(['append MandateReserved', 'charge', 'ledger: insert payment-ledger'])(
    'settles the order under way before it answers, and nothing is captured after it: the order stood before %s (rule 9)',
    async (call) => {
      const stopped = await sale.stoppedOrder('before', call);
      expect(await revoke()).toMatchObject({ status: 'revoked', reserved: { amount: 0 }, consumed: { amount: 0 } });
      expect(await usedInDelegation()).toBe(0);
      await sale.expectRefused(stopped, 'mandate_revoked');
    },
  );

  it.each(['ledger: insert payment-ledger', 'append MandateConsumed'])(
    'books what was captured before it: the order stood after %s (rule 9)',
    async (call) => {
      const stopped = await sale.stoppedOrder('after', call);
      expect(await revoke()).toMatchObject({ status: 'revoked', reserved: { amount: 0 }, consumed: { amount: PRICE } });
      await sale.expectPaid(stopped);
    },
  );

  it('that broke off is taken up by the recovery worker at once, and by whoever revokes again or pauses (rules 9 and 29)', async () => {
    const revocations = [
      (mandate: string) => sale.market.revoke(sale.calm, mandate),
      (mandate: string) => sale.market.pause(sale.calm, mandate),
      () => sale.market.recover(sale.calm),
    ];
    for (const takeUp of revocations) {
      const used = await usedInDelegation();
      const mandate = await sale.market.grant(sale.calm, PRICE);
      const wanted = { booking: await sale.market.book(sale.calm), mandate };
      await sale.stoppedOrder('before', 'charge', wanted);
      const broken = sale.market.process({
        intercept: (call, work) => (call === 'close' ? Promise.reject(new Error('no answer')) : work()),
      });
      await expect(sale.market.revoke(broken, mandate)).rejects.toThrow();
      sale.past(0);
      await takeUp(mandate);
      expect(await mandateEvents(mandate)).toEqual([
        'MandateCreated',
        'MandateReserved',
        'MandateRevoked',
        'MandateReleased',
      ]);
      expect(await usedInDelegation()).toBe(used);
    }
    await sale.expectFree();
  });
});

describe('the end of a mandate', () => {
  it('is not closed while money is set aside, since what it will have spent is not known yet (rule 19)', async () => {
    const { aggregates } = sale.calm;
    const context = systemContext('a test');
    const orderId = sale.market.stores.ids.next();
    const holdBefore = plus(sale.market.stores.clock.now(), MINUTE);
    const purchase = { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: money(PRICE, 'BRL') };
    const order = { orderId, bookingId: sale.wanted.booking, ...AGENT, amount: purchase.unitPrice, purchase } as const;
    await aggregates.handle(mandates, sale.wanted.mandate, { type: 'Reserve', ...order, holdBefore }, context);
    await revoke();
    expect(await usedInDelegation()).toBe(2 * PRICE);
    await aggregates.handle(mandates, sale.wanted.mandate, { type: 'Release', orderId, holdBefore }, context);
    await revoke();
    expect(await usedInDelegation()).toBe(0);
  });
});

describe('a charge', () => {
  it('captures nothing later than the processor was given for it (rule 9)', async () => {
    const stopped = await sale.stoppedOrder('before', 'charge');
    sale.past(SETTINGS.charge);
    await sale.expectRefused(stopped, 'service_unavailable');
  });

  it('captures nothing once its mandate has expired (rule 9)', async () => {
    const mandate = await sale.market.grant(sale.calm, PRICE, { minutes: 1 });
    sale.market.stores.clock.advance(MINUTE - 1_000);
    const { answer, open } = await sale.stoppedOrder('before', 'charge', { ...sale.wanted, mandate });
    sale.past(1_000);
    open();
    await expect(answer).rejects.toMatchObject({ code: 'service_unavailable' });
    await sale.market.recover(sale.calm);
    await sale.expectFree();
  });
});

describe('a mandate whose time is over', () => {
  it('is written down as expired, settled and closed by the recovery worker, and that is final (rule 16)', async () => {
    const mandate = await sale.market.grant(sale.calm, PRICE, { minutes: 1 });
    const wanted = { ...sale.wanted, mandate };
    await sale.stoppedOrder('before', 'charge', wanted);
    sale.past(MINUTE);
    await sale.market.recover(sale.calm);
    expect(await mandateEvents(mandate)).toEqual([
      'MandateCreated',
      'MandateReserved',
      'MandateReleased',
      'MandateExpired',
    ]);
    // A process whose clock says that there is time left.
    const behind = sale.market.process({ clock: new SkewedClock(sale.market.stores.clock, -MINUTE / 2) });
    await expect(sale.market.order(behind, wanted)).rejects.toMatchObject({ code: 'mandate_expired' });
    expect(await sale.market.revoke(behind, mandate)).toMatchObject({ status: 'expired' });
    expect(await mandateEvents(mandate)).not.toContain('MandateRevoked');
    await sale.expectFree();
  });
});

describe('an agent’s mandates', () => {
  it('count in full while they are open, and with what they consumed once they are over (rule 19)', async () => {
    const { aggregates } = sale.calm;
    const cap = { type: 'AuthorizeAgent', ...AGENT, grantId: 'g', scopes: [], cap: money(5 * PRICE, 'BRL') } as const;
    const context = systemContext('a test');
    await aggregates.handle(delegations, { holder: AGENT.holder, clientId: AGENT.clientId }, cap, context);
    await sale.market.order(sale.calm, sale.wanted);
    expect(await usedInDelegation()).toBe(2 * PRICE);
    await expect(sale.market.grant(sale.calm, 4 * PRICE)).rejects.toMatchObject({ code: 'mandate_cap_exceeded' });
    await revoke();
    expect(await usedInDelegation()).toBe(PRICE);
    await sale.market.grant(sale.calm, 4 * PRICE);
    await expect(sale.market.grant(sale.calm, 1)).rejects.toMatchObject({ code: 'mandate_cap_exceeded' });
  });

  it('that were opened and never created are given up, and a late creation fails (rule 19)', async () => {
    let letThrough = (): void => undefined;
    const opened = new Promise<void>((resolve) => (letThrough = resolve));
    const slow = sale.market.process({
      intercept: async (call, work) => {
        if (call === 'append MandateCreated') await opened;
        return work();
      },
    });
    const mandateId = sale.market.stores.ids.next();
    const used = await usedInDelegation();
    const creation = sale.market.grant(slow, PRICE, { mandateId });
    creation.catch(() => undefined);
    while ((await usedInDelegation()) === used) await new Promise(setImmediate);
    sale.past(MINUTE);
    await sale.market.recover(sale.calm);
    expect(await usedInDelegation()).toBe(used);
    letThrough();
    await expect(creation).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await mandateEvents(mandateId)).toEqual(['MandateAbandoned']);
  });
});
