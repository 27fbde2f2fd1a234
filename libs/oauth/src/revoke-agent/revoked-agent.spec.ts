import { openForAll } from '#testing';
import { delegations } from '#mandate';
import { Aggregates } from '#event-store';
import { RandomIds, systemContext } from '#kernel';
import { callApi, codeFields, newCode, newTokens, postIntrospect, postToken, refreshFields } from '../testing/agent.js';
import { startTestServer } from '../testing/test-server.js';
import { PILOT } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());
let holder: string;

let tokens: Awaited<ReturnType<typeof newTokens>>;
beforeEach(async () => {
  tokens = await newTokens(server);
  holder = String((await callApi(server, `Bearer ${tokens.access}`)).body['holder']);
});

const halfRevoke = async (): Promise<void> => {
  const aggregates = new Aggregates(server.eventStore, server.clock, new RandomIds());
  const agent = { holder, clientId: PILOT.clientId };
  await aggregates.handle(delegations, agent, { type: 'RevokeAgent' }, systemContext('a test'));
};

describe('an agent that was revoked while its grants are still active', () => {
  it('cannot refresh, and its grant is revoked by the attempt (rule 19)', async () => {
    await halfRevoke();
    expect((await callApi(server, `Bearer ${tokens.access}`)).status).toBe(200);
    expect(await postToken(server, refreshFields(tokens.refresh))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await callApi(server, `Bearer ${tokens.access}`)).status).toBe(401);
  });

  it('learns that its tokens are inactive, and from then on they are (RFC 7662 §2.2)', async () => {
    await halfRevoke();
    for (const token of [tokens.refresh, tokens.access]) {
      expect(await postIntrospect(server, { token })).toMatchObject({ status: 200, body: { active: false } });
    }
    expect((await callApi(server, `Bearer ${tokens.access}`)).status).toBe(401);
  });

  it('cannot redeem a code', async () => {
    const code = await newCode(server);
    await halfRevoke();
    expect((await postToken(server, codeFields(code))).body['error']).toBe('invalid_grant');
  });

  it('is authorized again by a new consent, and none of the old grants with it (rule 19)', async () => {
    const code = await newCode(server);
    await halfRevoke();
    const renewed = await newTokens(server);
    expect((await callApi(server, `Bearer ${renewed.access}`)).status).toBe(200);
    expect((await callApi(server, `Bearer ${tokens.access}`)).status).toBe(401);
    expect((await postToken(server, refreshFields(tokens.refresh))).status).toBe(400);
    expect((await postToken(server, codeFields(code))).status).toBe(400);
  });
});
