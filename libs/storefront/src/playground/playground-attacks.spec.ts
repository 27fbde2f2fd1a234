import { openForAll } from '#testing';
import { Browser, ISSUER, startTestServer } from '../../../oauth/src/testing/index.js';
import { PlaygroundModule } from '../storefront.module.js';
import {
  askPlayground,
  decideInPlayground,
  playgroundRequest,
  returnToPlayground,
  scriptDataIn,
} from '../testing/browser-steps.js';

const server = openForAll(() => startTestServer({}, {}, [PlaygroundModule]));

const newBrowser = (): Browser => new Browser(server);
const at = ({ pathname, search }: URL): string => pathname + search;

describe('the playground, attacked', () => {
  it('accepts no return of another browser, nor one that it did not begin (RFC 9700 §4.7)', async () => {
    const attacker = newBrowser();
    const back = await decideInPlayground(attacker, 'approve');
    const victim = newBrowser();
    await playgroundRequest(victim);
    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(43));
    for (const address of [back, forged]) {
      expect(scriptDataIn(await victim.get(at(address)))).toEqual({ csrf: '', code: '', state: '' });
    }
    expect((await victim.get(at(back))).status).toBe(400);
    expect((await attacker.get(at(back))).status).toBe(200);
  });

  it('accepts a return once', async () => {
    const browser = newBrowser();
    const back = await decideInPlayground(browser, 'approve');
    expect((await browser.get(at(back))).status).toBe(200);
    expect((await browser.get(at(back))).status).toBe(400);
  });

  it.each([
    ['another issuer', 'https://evil.example'],
    ['none', ''],
  ])('accepts no return that names %s (RFC 9207 §2.4)', async (_, issuer) => {
    const browser = newBrowser();
    const back = await decideInPlayground(browser, 'approve');
    back.searchParams.set('iss', issuer);
    const page = await browser.get(at(back));
    expect(page.status).toBe(400);
    expect(scriptDataIn(page).code).toBe('');
  });

  it('shows no error text for an attempt that it did not begin', async () => {
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: 'Ligue já',
      state: 'x',
      iss: ISSUER,
    });
    const page = await newBrowser().get(`/oauth/playground?${query.toString()}`);
    expect(page.status).toBe(400);
    expect(page.body).not.toContain('Ligue já');
  });

  it('refuses a repeated parameter', async () => {
    expect((await newBrowser().get('/oauth/playground?code=a&code=b')).status).toBe(400);
  });

  it('exchanges nothing for another browser, whatever it knows', async () => {
    const browser = newBrowser();
    const data = await returnToPlayground(browser);
    const thief = newBrowser();
    const own = await returnToPlayground(thief);
    const taken = await askPlayground(server, thief, 'token', { ...data, csrf: own.csrf });
    expect(taken).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await askPlayground(server, browser, 'token', data)).status).toBe(200);
  });

  it('exchanges a code once', async () => {
    const browser = newBrowser();
    const data = await returnToPlayground(browser);
    expect((await askPlayground(server, browser, 'token', data)).status).toBe(200);
    expect((await askPlayground(server, browser, 'token', data)).status).toBe(400);
  });

  it.each(['token', 'refresh', 'revoke'])(
    'allows nobody to %s without the CSRF token or from another origin',
    async (step) => {
      const browser = newBrowser();
      const data = await returnToPlayground(browser);
      const fields = { ...data, token: 'x' };
      const { csrf: _, ...without } = fields;
      const another = (await returnToPlayground(newBrowser())).csrf;
      const attempts = [
        askPlayground(server, browser, step, without),
        askPlayground(server, browser, step, { ...fields, csrf: another }),
        askPlayground(server, browser, step, fields, 'https://evil.example'),
        askPlayground(server, browser, step, fields, 'null'),
        askPlayground(server, newBrowser(), step, fields),
      ];
      for (const { status } of await Promise.all(attempts)) expect(status).toBe(403);
      expect((await askPlayground(server, browser, step, fields)).status).toBe(200);
    },
  );

  it('lets no other site read an answer', async () => {
    const browser = newBrowser();
    const data = await returnToPlayground(browser);
    const { headers } = await askPlayground(server, browser, 'token', data);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
