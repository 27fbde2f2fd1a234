import { openForEach } from '#testing';
import { delegations, mandates } from '#mandate';
import { CHARGE_SCOPES, money, plus, systemContext } from '#kernel';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { counting, gate } from '../support/gate.js';
import { AGENT, PRICE } from '../support/market.js';
import { SkewedClock } from '../support/skewed-clock.js';
import { Sale } from './sale.js';

/** A clock whose timer stands still: what backed off is never due. */
class StandingClock extends SkewedClock {
  override monotonic(): number {
    return 1;
  }
}

const sale = openForEach(() => Sale.open());
beforeEach(async () => {
  await sale.market.setMode(sale.calm, true);
});

const limit = money(PRICE, 'BRL');

const asked = async (mandateId = sale.market.stores.ids.next()): Promise<string> => {
  const terms = { scope: CHARGE_SCOPES, limit, minutes: 60 };
  await sale.calm.createMandate.execute(new CreateMandate(mandateId, AGENT, terms, systemContext('a test')));
  return mandateId;
};
/** A mandate that was approved by a process that was killed at an append. */
const approvedUpTo = async (where: 'before' | 'after', call: string): Promise<string> => {
  const mandateId = await asked();
  const { intercept, reached } = gate(where, call);
  sale.market.approve(sale.market.process({ intercept }), mandateId, limit, 60).catch(() => undefined);
  await reached;
  return mandateId;
};
const stateOf = async (mandateId: string) => (await sale.calm.aggregates.load(mandates, mandateId)).state;

it('what its traveller approved and a killed process had opened is created by recovery (rule 31)', async () => {
  const mandateId = await approvedUpTo('after', 'append MandateOpened');
  expect(await stateOf(mandateId)).toMatchObject({ pending: {} });
  sale.past(60_000);
  await sale.market.recover(sale.calm);
  expect(await stateOf(mandateId)).toMatchObject({ kind: 'granted', limit, revokedAt: null });
  expect(await stateOf(mandateId)).not.toHaveProperty('pending');
  await sale.expectSound();
});

it('what the cap does not admit is not asked for', async () => {
  await sale.market.setCap(sale.calm, money(PRICE - 1, 'BRL'));
  const mandateId = sale.market.stores.ids.next();
  const asked = sale.market.grant(sale.calm, PRICE, { mandateId });
  await expect(asked).rejects.toMatchObject({ code: 'mandate_cap_exceeded' });
  expect(await stateOf(mandateId)).toMatchObject({ kind: 'none' });
});

it('what its traveller approves is answered as it was granted, also where it was granted before', async () => {
  const mandateId = await asked();
  for (const minutes of [60, 30]) {
    const { mandate } = await sale.market.approve(sale.calm, mandateId, limit, minutes);
    expect(mandate).toMatchObject({ kind: 'granted', minutes: 60 });
    expect(mandate).not.toHaveProperty('pending');
  }
});

it('what a consent has created is not opened again by another try, however long after it was closed (rule 30)', async () => {
  const { calm, market } = sale;
  const [mandateId, other] = [market.stores.ids.next(), market.stores.ids.next()];
  const [at, terms] = [market.stores.clock.now(), { scope: CHARGE_SCOPES, limit, minutes: 10_080 }];
  const consent = (id: string) =>
    calm.createMandate.execute(new CreateMandate(id, AGENT, terms, systemContext('a test'), { by: 'traveller', at }));
  const opened = async () => {
    const { state } = await calm.aggregates.load(delegations, AGENT);
    return state.status === 'authorized' ? Object.keys(state.openMandates) : [];
  };
  for (const id of [mandateId, other]) await consent(id);
  expect(await opened()).toEqual(expect.arrayContaining([mandateId, other]));
  await market.revoke(calm, mandateId);
  sale.past(2 * 24 * 3_600_000);
  await market.revoke(calm, other); // with which the delegation forgets what was closed long before
  const { mandate } = await consent(mandateId);
  expect(mandate).toMatchObject({ mandateId, startsAt: at });
  expect(await opened()).not.toContain(mandateId);
});

it.each(['nothing', '00000000-0000-4000-8000-000000000000'])('no mandate %s is there to be changed', async (id) => {
  const unknown = { code: 'mandate_not_found' };
  await expect(sale.market.narrow(sale.calm, id, {})).rejects.toMatchObject(unknown);
  await expect(sale.market.resume(sale.calm, id)).rejects.toMatchObject(unknown);
  await expect(sale.market.approve(sale.calm, id, limit, 60)).rejects.toMatchObject(unknown);
});

it('what there is nothing to do for is looked at again after a while, and not in every round', async () => {
  const mandateId = await asked();
  const expiresAt = plus(sale.market.stores.clock.now(), 3_600_000);
  const open = { type: 'OpenMandate', mandateId, limit, expiresAt, isDecided: true } as const;
  await sale.calm.aggregates.handle(delegations, AGENT, open, systemContext('a test'));
  sale.past(60_000);
  await sale.market.stores.caughtUp();
  const calls = new Map<string, number>();
  const clock = new StandingClock(sale.market.stores.clock, 0);
  const worker = sale.market.process({ intercept: counting(calls), clock }).newRecovery();
  await worker.round();
  const looks = calls.get('read mandate');
  expect(looks).toBeGreaterThan(0);
  for (let round = 0; round < 5; round += 1) await worker.round();
  expect(calls.get('read mandate')).toBe(looks);
  expect(await stateOf(mandateId)).toMatchObject({ pending: { approved: null } });
});
