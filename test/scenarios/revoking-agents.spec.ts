import { openForEach } from '#testing';
import { delegations, mandates, usedOf } from '#mandate';
import { systemContext } from '#kernel';
import { RevokeAgent } from '#oauth';
import { failing, gate } from '../support/gate.js';
import type { Intercept } from '../support/intercept.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, PRICE } from '../support/market.js';
import { Sale } from './sale.js';

const GRANTS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
const OTHERS = '33333333-3333-4333-8333-333333333333';

const sale = openForEach(() => Sale.open());
beforeEach(async () => {
  const { grants, consents } = sale.calm;
  await grants.prepare();
  await consents.prepare();
  const consent = { ...AGENT, scopes: [], resources: [] };
  for (const id of GRANTS) await grants.open(id, consent);
  await grants.open(OTHERS, { ...consent, clientId: 'other' });
});

const revokeAgent = ({ revokeAgent: handler }: LogicalProcess) =>
  handler.execute(new RevokeAgent(AGENT.holder, AGENT.clientId, systemContext('a test')));

const delegation = async () => (await sale.calm.aggregates.load(delegations, AGENT)).state;
const living = async () => {
  const alive = await Promise.all([...GRANTS, OTHERS].map((id) => sale.calm.grants.active(id)));
  return alive.flatMap((grant) => grant?.id ?? []);
};

/** All that a revocation has to leave behind, and nothing of anybody else. */
const expectRevoked = async (): Promise<void> => {
  expect(await delegation()).toMatchObject({ status: 'revoked', openMandates: {}, ending: [] });
  expect(await living()).toEqual([OTHERS]);
  expect((await sale.typesOf(mandates.streamOf(sale.wanted.mandate))).at(-1)).toMatch(
    /^Mandate(Revoked|Released|Consumed)$/,
  );
  await sale.expectSound();
};

describe('revoking an agent (rule 19)', () => {
  it('ends the grants, revokes the delegation, then each mandate', async () => {
    await sale.market.grant(sale.calm, PRICE);
    const calls: string[] = [];
    const intercept: Intercept = (call, work) => {
      if (/^(append|replace|delete) /.test(call)) calls.push(call);
      return work();
    };
    await revokeAgent(sale.market.process({ intercept }));
    const mandate = ['append MandateRevoked', 'append MandateClosed'];
    expect(calls).toEqual([
      ...GRANTS.map(() => 'replace grants'),
      'append AgentRevoked',
      'delete consents',
      ...mandate,
      ...mandate,
    ]);
    await expectRevoked();
  });

  it('writes nothing the second time', async () => {
    await revokeAgent(sale.calm);
    const before = (await sale.market.books()).events.length;
    await revokeAgent(sale.calm);
    expect((await sale.market.books()).events).toHaveLength(before);
  });

  it('writes nothing for an agent that was never let in', async () => {
    const before = (await sale.market.books()).events.length;
    await sale.calm.revokeAgent.execute(new RevokeAgent('ana', 'nobody', systemContext('a test')));
    expect((await sale.market.books()).events).toHaveLength(before);
  });

  it.each(['append MandateReserved', 'charge'])(
    'settles the order under way before it answers, and nothing is captured after it: the order stood before %s (rule 9)',
    async (call) => {
      const { answer, open } = await sale.stoppedOrder('before', call);
      await revokeAgent(sale.calm);
      expect(await living()).toEqual([OTHERS]);
      open();
      await expect(answer).rejects.toMatchObject({ code: 'mandate_revoked' });
      await expectRevoked();
      expect(usedOf(await delegation(), 'BRL').amount).toBe(0);
    },
  );

  it('books what was captured before it', async () => {
    const { answer, open } = await sale.stoppedOrder('after', 'ledger: insert payment-ledger');
    await revokeAgent(sale.calm);
    open();
    expect(await answer).toMatchObject({ status: 'paid' });
    await expectRevoked();
  });

  it.each([
    'replace grants',
    'append AgentRevoked',
    'delete consents',
    'append MandateRevoked',
    'close',
    'append MandateClosed',
  ])(
    'that broke off at %s leaves no token alive once the agent is revoked, and is taken up when sent again',
    async (call) => {
      await sale.stoppedOrder('before', 'charge');
      const broken = sale.market.process({ intercept: failing('before', call) });
      await expect(revokeAgent(broken)).rejects.toThrow();
      if ((await delegation()).status === 'revoked') expect(await living()).toEqual([OTHERS]);
      await revokeAgent(sale.calm);
      await expectRevoked();
    },
  );

  it('kills the grant of a consent given in between', async () => {
    const { intercept, reached, open } = gate('before', 'append AgentRevoked');
    const revoked = revokeAgent(sale.market.process({ intercept }));
    await reached;
    const late = '44444444-4444-4444-8444-444444444444';
    await sale.calm.grants.open(late, { ...AGENT, scopes: [], resources: [] });
    open();
    await revoked;
    expect(await sale.calm.grants.active(late)).toBeNull();
  });

  it.each(['append MandateRevoked', 'append MandateClosed'])(
    'that broke off at %s is taken up by the recovery worker, as far as its mandates go, also after a new consent',
    async (call) => {
      const broken = sale.market.process({ intercept: failing('before', call) });
      await expect(revokeAgent(broken)).rejects.toThrow();
      const authorize = { type: 'AuthorizeAgent', ...AGENT, grantId: 'g2', scopes: [] } as const;
      await sale.calm.aggregates.handle(delegations, AGENT, authorize, systemContext('a test'));
      sale.past(0);
      await sale.market.recover(sale.calm);
      expect(await sale.typesOf(mandates.streamOf(sale.wanted.mandate))).toEqual(['MandateCreated', 'MandateRevoked']);
      expect(await delegation()).toMatchObject({ status: 'authorized', openMandates: {}, ending: [] });
    },
  );
});

describe('a grant that outlived the revocation of its agent', () => {
  it('dies when a token is asked for under it (rule 19)', async () => {
    const revoke = { type: 'RevokeAgent' } as const;
    await sale.calm.aggregates.handle(delegations, AGENT, revoke, systemContext('a test'));
    expect(await living()).toEqual([...GRANTS, OTHERS]);
    expect(await sale.calm.grantsInForce.find(GRANTS[0])).toBeNull();
    expect(await living()).toEqual([GRANTS[1], OTHERS]);
    expect((await sale.calm.grantsInForce.find(OTHERS))?.id).toBe(OTHERS);
  });
});
