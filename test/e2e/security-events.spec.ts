import { securityLog } from '#events';
import type { Api } from '../../apps/cli/src/agent/index.js';
import { ANA, BRUNO, PILOT, tokensFor } from '../support/agent.js';
import type { Refused } from '../support/answers.js';
import { agentWith } from '../support/consent.js';
import { brl } from '../support/purchase.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

/** What was written down for the auditors today. */
const securityEvents = async () => {
  const { clock, events: log } = setting.service.dependencies;
  const events = [];
  for await (const event of log.readStream(securityLog.streamOf(clock.now()))) events.push(event);
  return events;
};

const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Response> => {
  const authorization = `Basic ${Buffer.from(`${PILOT.clientId}:${PILOT.secret}`).toString('base64')}`;
  return fetch(setting.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { authorization },
  });
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

  it('is a refresh token that came back, and tokens given back; never a token, an e-mail or an address', async () => {
    const reused = await tokensFor(setting.origin);
    const refresh = { grant_type: 'refresh_token', refresh_token: reused.refresh_token };
    for (const status of [200, 400]) expect(await post('/oauth/token', refresh)).toMatchObject({ status });
    const revoked = await tokensFor(setting.origin);
    expect(await post('/oauth/revoke', { token: revoked.access_token })).toMatchObject({ status: 200 });

    const events = await securityEvents();
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['RefreshReused', 'TokenRevoked']);
    const text = JSON.stringify(events);
    const [, secret = ''] = reused.refresh_token.split('.');
    for (const leak of [secret, revoked.access_token, ANA.email, '127.0.0.1']) expect(text).not.toContain(leak);
  });
});
