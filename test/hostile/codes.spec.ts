import { authorizationUrl, Browser, consent, discover, pkce, type Tokens } from '../../apps/cli/src/agent/index.js';
import { ANA, apiAt, PILOT } from '../support/agent.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const CLIENT = { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' };

const tested = new ServiceUnderTest();

/** A code that Ana's consent has led to, with the verifier that belongs to it. */
const newCode = async () => {
  const { verifier, challenge } = pkce();
  const asked = { scopes: ['booking:write'], state: 'x', challenge };
  const address = authorizationUrl(await discover(tested.origin), CLIENT, asked);
  const callback = await consent(new Browser(tested.origin), address, ANA);
  return { code: callback.searchParams.get('code') ?? '', verifier };
};

/** What the token endpoint answers to a code. */
const redeem = async (code: string, verifier: string) => {
  const { clientId: client_id, secret: client_secret } = CLIENT;
  const body = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id, client_secret };
  const answer = await fetch(`${tested.origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) });
  return { status: answer.status, body: (await answer.json()) as Partial<Tokens> & { readonly error?: string } };
};
const REFUSED = { status: 400, body: { error: 'invalid_grant' } };

describe('a thief of codes, without their verifiers', () => {
  it('cannot use one up before the agent that asked for it', async () => {
    const { code, verifier } = await newCode();
    for (let tried = 0; tried < 3; tried += 1) expect(await redeem(code, pkce().verifier)).toMatchObject(REFUSED);
    expect(await redeem(code, verifier)).toMatchObject({ status: 200 });
  });

  it('cannot end the grant of one that was used; whoever replays it with its verifier does', async () => {
    const { code, verifier } = await newCode();
    const { body } = await redeem(code, verifier);
    const agent = apiAt(tested.origin, body.access_token);
    for (let tried = 0; tried < 3; tried += 1) expect(await redeem(code, pkce().verifier)).toMatchObject(REFUSED);
    expect((await agent.get('/bookings')).status).toBe(200);
    expect(await redeem(code, verifier)).toMatchObject(REFUSED);
    expect((await agent.get('/bookings')).status).toBe(401);
  });
});
