import type { RunningApi } from '../../apps/api/src/start.js';
import { authorizationUrl, Browser, discover, pkce } from '#agent';
import { ANA, PILOT } from '../support/agent.js';
import { startServiceInMemory } from '../support/service.js';

let service: RunningApi;
beforeAll(async () => {
  // Nothing but the turns of password checks is in the way.
  const off = {
    LIMIT_AUTHORIZATIONS: '0',
    LIMIT_LOGIN_FAILURES: '0',
    LIMIT_LOGINS: '0',
    LIMIT_FORM_POSTS: '0',
    LIMIT_CONNECTIONS: '0',
  };
  service = await startServiceInMemory({ ...off, PASSWORD_COST: '12', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => service.stop());

/** Somebody at an address before the login page, and how they try a password; returns the status. */
const before = async (address: string) => {
  const browser = new Browser(service.origin);
  const registration = { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' };
  const asked = { scopes: ['booking:write'], state: 'x', challenge: pkce().challenge };
  const page = await browser.open(authorizationUrl(await discover(service.origin), registration, asked));
  return async (username: string, password: string): Promise<number> =>
    (await browser.submit(page, { username, password }, { 'x-forwarded-for': address })).status;
};

it('six addresses with eight connections each do not keep the right password out, known accounts or not', async () => {
  const guessers = await Promise.all(Array.from({ length: 6 }, (_, one) => before(`192.0.2.${one}`)));
  const ana = await before('198.51.100.1');
  const guesses = guessers.flatMap((guess, address) =>
    Array.from({ length: 8 }, (_, one) => guess(one % 2 === 0 ? ANA.email : `p${address}-${one}@example.com`, 'wrong')),
  );
  // The queue is full by now, and refuses at once.
  await Promise.race(guesses);
  expect(await ana(ANA.email, ANA.password)).toBe(200);
  for (const status of await Promise.all(guesses)) expect([403, 503]).toContain(status);
});
