import type { RunningApi } from '../../apps/api/src/start.js';
import type { Api } from '#agent';
import { securityLog } from '#events';
import { PILOT } from '../support/agent.js';
import type { List, Mandate, Money, Refused } from '../support/answers.js';
import { agentWith, reachConsent, type Traveller } from '../support/consent.js';
import { bodyOf, brl, grant, mandateNow } from '../support/purchase.js';
import { OTHER_AGENT, registerOtherAgent, startServiceInMemory } from '../support/service.js';

const TRAVELLERS = Array.from({ length: 11 }, (_, n): Traveller => ({
  email: `viajante${n}@example.com`,
  password: 'alcada-demo',
}));

let service: RunningApi;
beforeAll(async () => {
  const emails = TRAVELLERS.map(({ email }) => email).join(',');
  service = await startServiceInMemory({ DEMO_TRAVELLERS: emails });
  await registerOtherAgent(service);
});
afterAll(() => service.stop());

const newTraveller = (): Traveller => {
  const traveller = TRAVELLERS.pop();
  if (!traveller) throw new Error('all travellers are taken');
  return traveller;
};

/** The agent of a traveller, new by default, who filled in the field `cap` or left it out. */
const letIn = (cap?: string, traveller = newTraveller(), client?: typeof OTHER_AGENT): Promise<Api> =>
  agentWith(cap === undefined ? {} : { cap }, service.origin, traveller, client);

interface Cap {
  readonly limit: Money;
  readonly used: Money;
  readonly available: Money;
}

const capOf = async (api: Api): Promise<Cap | null> =>
  bodyOf(await api.get<List<Mandate> & { readonly cap: Cap | null }>('/mandates'), 200).cap;

const cap = (limit: number, used: number, available = limit - used): Cap => ({
  limit: brl(limit),
  used: brl(used),
  available: brl(available),
});

const opening = (api: Api, limit: Money) => api.post<Mandate & Refused>('/mandates', { limit });

const exceeded = ({ limit, used, available }: Cap) => ({
  status: 422,
  body: { error: 'mandate_cap_exceeded', details: { cap: limit, used, available } },
});

const statusesOf = async (api: Api, mandates: readonly Mandate[]) =>
  Promise.all(mandates.map(async (mandate) => (await mandateNow(api, mandate)).status));

const revoke = async (api: Api, { id }: Mandate) => bodyOf(await api.call('DELETE', `/mandates/${id}`), 200);

describe('the cap a traveller sets on the consent page (rule 19)', () => {
  it('is shown to its agent with what is used of it; where there is none, as null', async () => {
    expect(await capOf(await letIn())).toBeNull();
    const agent = await letIn('1.500,00');
    expect(await capOf(agent)).toEqual(cap(1500_00, 0));
    await grant(agent, 400_00);
    expect(await capOf(agent)).toEqual(cap(1500_00, 400_00));
  });

  it('admits mandates to its last cent, in its own currency', async () => {
    const agent = await letIn('1000');
    await grant(agent, 600_00);
    expect(await opening(agent, brl(400_01))).toMatchObject(exceeded(cap(1000_00, 600_00)));
    expect(await opening(agent, { amount: 1, currency: 'USD' })).toMatchObject(exceeded(cap(1000_00, 600_00)));
    expect(await opening(agent, brl(400_00))).toMatchObject({ status: 201 });
    expect(await opening(agent, brl(1))).toMatchObject(exceeded(cap(1000_00, 1000_00)));
  });

  it('leaves for auditors what it refused: to which agent, and by which request', async () => {
    const refused = await opening(await letIn('10'), brl(10_01));
    expect(refused).toMatchObject(exceeded(cap(10_00, 0)));
    const { clock, events: log } = service.dependencies;
    const events = [];
    for await (const event of log.readStream(securityLog.streamOf(clock.now()))) events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: 'CapRefused',
      data: { clientId: PILOT.clientId, limit: brl(10_01), cap: brl(10_00), used: brl(0) },
      metadata: { $correlationId: refused.body.requestId },
    });
  });

  it('says which open mandates end before the agent is let in, and ends them before the agent has its token', async () => {
    const traveller = newTraveller();
    const agent = await letIn(undefined, traveller);
    const mandates = [await grant(agent, 400_00), await grant(agent, 1000_00)];
    const { page, approve, agentFrom } = await reachConsent(service.origin, traveller);
    const asked = await approve(page, { cap: '500' });
    expect([asked.status, asked.html]).toEqual([200, expect.stringContaining('Autorizar com este limite?')]);
    expect(asked.html).toContain('Mandato com teto de R$\u00a01.000,00');
    expect([await capOf(agent), await statusesOf(agent, mandates)]).toEqual([null, ['valid', 'valid']]);
    const again = await agentFrom(await approve(asked, {}));
    expect(await capOf(again)).toEqual(cap(500_00, 400_00));
    expect(await statusesOf(again, mandates)).toEqual(['valid', 'revoked']);
  });
});

describe('an agent (rule 19)', () => {
  it('has at most 100 mandates open, and another one as soon as one of them is revoked', async () => {
    const agent = await letIn();
    const answers = await Promise.all(Array.from({ length: 103 }, () => opening(agent, brl(1))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    for (const { body, headers } of answers.filter(({ status }) => status !== 201)) {
      expect(body.error).toBe('rate_limited');
      // The first of them ends in an hour.
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    }
    const { body: first } = answers.find(({ status }) => status === 201) ?? {};
    if (first) await revoke(agent, first);
    expect((await opening(agent, brl(1))).status).toBe(201);
    expect((await opening(agent, brl(1))).status).toBe(429);
  });
});
