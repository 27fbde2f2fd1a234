import { openForAll } from '#testing';
import {
  basic,
  codeFields,
  PILOT_BASIC,
  postRegister,
  postToken,
  refreshFields,
  type TokenReply,
} from '../testing/agent.js';
import { startTestServer } from '../testing/test-server.js';
import { OTHER_CLIENT, PILOT, PUBLIC_CLIENT } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer({}, { tokenRequests: 20, clientFailures: 3, registrations: 2 }));

const WRONG = basic(PILOT.clientId, 'wrong');

/** A token request with an unknown code, from an address: 400 where the client is authenticated, 401 where it is not. */
const ask = (address: string, authorization: string): Promise<TokenReply> =>
  postToken(server, codeFields('x'.repeat(43)), { authorization, 'x-forwarded-for': address });

const statuses = async (times: number, work: () => Promise<TokenReply>): Promise<readonly number[]> => {
  const seen: number[] = [];
  for (let done = 0; done < times; done += 1) seen.push((await work()).status);
  return seen;
};

describe('the token endpoint', () => {
  it('accepts so many requests a minute from an address, and says when to retry', async () => {
    expect(new Set(await statuses(20, () => ask('192.0.2.1', PILOT_BASIC)))).toEqual(new Set([400]));
    const { status, headers, body } = await ask('192.0.2.1', PILOT_BASIC);
    expect(status).toBe(429);
    expect(headers).toMatchObject({ 'retry-after': '3', 'cache-control': 'no-store' });
    expect(headers['ratelimit']).toMatch(/^"token-requests";r=0;t=\d+$/);
    expect(body).toEqual({
      error: 'rate_limited',
      error_description: expect.stringMatching(/^[\x20-\x7E]+$/),
      message: 'Requisições demais; tente de novo em instantes.',
      requestId: expect.any(String),
    });
    expect((await ask('192.0.2.2', PILOT_BASIC)).status).toBe(400);
    server.clock.advance(60_000);
    expect((await ask('192.0.2.1', PILOT_BASIC)).status).toBe(400);
  });

  it('refuses every secret of a client from an address that sent wrong ones, even the right one', async () => {
    expect(await statuses(5, () => ask('192.0.2.3', WRONG))).toEqual([401, 401, 401, 429, 429]);
    const { status, headers } = await ask('192.0.2.3', PILOT_BASIC);
    // Of the limit that it counts under there is more.
    expect([status, headers['ratelimit']]).toEqual([
      429,
      expect.stringMatching(/^"token-requests";r=[1-9]\d*;t=\d+, "client-failures";r=0;t=\d+$/),
    ]);
    server.clock.advance(60_000);
    expect((await ask('192.0.2.3', PILOT_BASIC)).status).toBe(400);
  });

  it('stays open to other clients at that address, and to everybody elsewhere', async () => {
    await statuses(5, () => ask('192.0.2.4', WRONG));
    expect((await ask('192.0.2.4', basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret))).status).toBe(400);
    expect((await ask('192.0.2.5', PILOT_BASIC)).status).toBe(400);
  });

  it('counts a client in any spelling of its name', async () => {
    const spellings = ['alcada-pilot', 'alcada%2Dpilot', '%61lcada-pilot', 'alcada%2dpilot'];
    const answers: number[] = [];
    for (const name of spellings) answers.push((await ask('192.0.2.6', basic(name, 'wrong'))).status);
    expect(answers).toEqual([401, 401, 401, 429]);
  });

  it('counts unknown clients as well, and a public one that sends a secret', async () => {
    expect(await statuses(4, () => ask('192.0.2.7', basic('ninguem', 'x')))).toEqual([401, 401, 401, 429]);
    const asPublic = () =>
      postToken(
        server,
        { ...refreshFields('x'), client_id: PUBLIC_CLIENT, client_secret: 'x' },
        { 'x-forwarded-for': '192.0.2.7' },
      );
    expect(await statuses(4, asPublic)).toEqual([401, 401, 401, 429]);
  });
});

describe('the registration endpoint', () => {
  it('bounds how many clients register themselves in a minute, from an address', async () => {
    const register = (address: string) => postRegister(server, '', { 'x-forwarded-for': address });
    expect(await statuses(3, () => register('192.0.2.30'))).toEqual([404, 404, 429]);
    expect((await register('192.0.2.31')).status).toBe(404);
  });
});
