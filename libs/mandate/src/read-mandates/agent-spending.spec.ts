import { delegations } from '../delegation/delegation.decider.js';
import { type Currency, money } from '#kernel';
import { GrantedAgent } from '../testing/granted.js';
import { spendingOf } from './agent-spending.js';

const spending = async (agent: GrantedAgent, currency: Currency) => {
  const { state } = await agent.aggregates.load(delegations, agent.party);
  const { spent, committed } = await spendingOf(agent.aggregates, state, currency);
  expect([spent.currency, committed.currency]).toEqual([currency, currency]);
  return [spent.amount, committed.amount];
};

it('what counts against a cap is what open mandates have spent, and what they may still charge, by currency', async () => {
  const agent = await new GrantedAgent().letIn();
  const [one, dollars] = [await agent.open(100_00), await agent.open(70_00, 'USD')];
  await agent.open(50_00, 'BRL', false);
  await agent.charge(one, 30_00);
  await agent.reserve(one, 20_00);
  await agent.charge(dollars, 7_00, 'USD');
  expect(await spending(agent, 'BRL')).toEqual([30_00, 120_00]);
  expect(await spending(agent, 'USD')).toEqual([7_00, 63_00]);
  expect(await spending(agent, 'EUR')).toEqual([0, 0]);
});

it('nothing counts against the cap of an agent that nobody let in', async () => {
  const { spent, committed } = await spendingOf(new GrantedAgent().aggregates, { status: 'unknown' }, 'BRL');
  expect([spent, committed]).toEqual([money(0, 'BRL'), money(0, 'BRL')]);
});
