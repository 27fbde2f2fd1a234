import { securityLog } from '#events';
import type { Api } from '#agent';
import { BRUNO, PILOT } from '../support/agent.js';
import type { Refused } from '../support/answers.js';
import { agentWith } from '../support/consent.js';
import { brl } from '../support/purchase.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

const securityEvents = async () => {
  const { clock, events: log } = setting.service.dependencies;
  const events = [];
  for await (const event of log.readStream(securityLog.streamOf(clock.now()))) events.push(event);
  return events;
};

describe('what auditors find of the access itself', () => {
  it('is a mandate that was refused because of the cap, for the agent and the request it was refused in', async () => {
    const agent: Api = await agentWith({ cap: '10' }, setting.origin, BRUNO);
    const refused = await agent.post<Refused>('/mandates', { limit: brl(10_01) });
    expect(refused).toMatchObject({ status: 422, body: { error: 'mandate_cap_exceeded' } });
    expect((await securityEvents()).at(-1)).toMatchObject({
      type: 'CapRefused',
      data: { clientId: PILOT.clientId, limit: brl(10_01), cap: brl(10_00), used: brl(0) },
      metadata: { $correlationId: refused.body.requestId },
    });
  });
});
