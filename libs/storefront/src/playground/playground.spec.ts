import { openForAll } from '#testing';
import { baseUrlsAt } from '#http';
import {
  Browser,
  callApi,
  ISSUER,
  PASSWORD,
  PILOT,
  startTestServer,
  type TestServer,
} from '../../../oauth/src/testing/index.js';
import { PlaygroundModule } from '../storefront.module.js';
import { askPlayground, decideInPlayground, playgroundRequest, returnToPlayground } from '../testing/browser-steps.js';

const server = openForAll(() => startTestServer({}, {}, [PlaygroundModule]));

const newBrowser = (): Browser => new Browser(server);
const at = ({ pathname, search }: URL): string => pathname + search;

const exchangeIn = ({ body }: { readonly body: Record<string, unknown> }) => {
  const { request, response } = body as { request: string; response: { status: number; body: Record<string, string> } };
  const { access_token: access = '', refresh_token: refresh = '' } = response.body;
  return { request, status: response.status, access, refresh };
};

describe('the pages of the playground', () => {
  it('request the chosen scopes with PKCE, and come back to the registered address', async () => {
    const request = await playgroundRequest(newBrowser());
    expect(Object.fromEntries(request.searchParams)).toEqual({
      response_type: 'code',
      client_id: PILOT.clientId,
      redirect_uri: `${ISSUER}/oauth/playground`,
      scope: 'booking:write',
      resource: `${ISSUER}/api/v1`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('request no scope where none was chosen, and none that was made up', async () => {
    const { searchParams } = await playgroundRequest(newBrowser(), 'admin');
    expect(searchParams.get('scope')).toBe('');
  });

  it('reveal their address to nobody and run no script but a file of ours', async () => {
    const browser = newBrowser();
    const start = await browser.get('/oauth/playground');
    expect(start.headers['content-security-policy']).not.toContain('script-src');
    const back = await browser.get(at(await decideInPlayground(browser, 'approve')));
    for (const { headers } of [start, back]) {
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    }
    expect(back.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' ${ISSUER}; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(back.body).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=/);
  });

  it('serve the script under a name that changes with it', async () => {
    const browser = newBrowser();
    const { body } = await browser.get('/oauth/playground?code=x');
    const [, link = ''] = /<script type="module" src="([^"]*)"/.exec(body) ?? [];
    const script = await browser.get(link);
    expect(script).toMatchObject({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } });
    expect(await browser.get(link, { 'if-none-match': script.headers['etag'] ?? '' })).toMatchObject({
      status: 304,
      body: '',
    });
  });

  it('let the script call the API where it has another origin', async () => {
    const urls = { ...baseUrlsAt('https://login.voos.example'), base: 'https://api.voos.example/api/v1' };
    const elsewhere = await startTestServer({ addresses: { urls, followLoopback: false } }, {}, [PlaygroundModule]);
    const { headers } = await new Browser(elsewhere).get('/oauth/playground?code=x');
    await elsewhere.close();
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.voos.example;");
  });

  it('show why the authorization was refused', async () => {
    const browser = newBrowser();
    const page = await browser.get(at(await decideInPlayground(browser, 'deny')));
    expect(page.status).toBe(200);
    expect(page.body).toContain('O viajante recusou o pedido.');
    expect(page.body).toContain('access_denied');
  });

  it('say with the login which account everybody may try, and nothing where there is none', async () => {
    const shownAccount = { email: 'ana@example.com', password: PASSWORD };
    const demo = await startTestServer({ shownAccount }, {}, [PlaygroundModule]);
    const told = async (from: TestServer) => {
      const browser = new Browser(from);
      const paths = ['/oauth/playground', '/oauth/playground/pedido', at(await playgroundRequest(browser))];
      const pages = await Promise.all(paths.map((path) => browser.get(path)));
      return pages.map(
        ({ body }) => /entr[ae] com [^ ]+ e a senha [^ ]+\./.exec(body.replace(/<[^>]*>/g, ''))?.[0] ?? null,
      );
    };
    const words = await told(demo);
    await demo.close();
    const account = `com ana@example.com e a senha ${PASSWORD}.`;
    expect(words).toEqual([`entra ${account}`, `entra ${account}`, `entre ${account}`]);
    expect(await told(server)).toEqual([null, null, null]);
  });

  it('do not exist where they are switched off', async () => {
    const without = await startTestServer({ playground: false });
    const browser = new Browser(without);
    const [unknown, ...ours] = await Promise.all(
      ['/oauth/nada', '/oauth/playground', '/oauth/playground/pedido', '/assets/playground.js'].map((path) =>
        browser.get(path, { 'x-request-id': 'um' }),
      ),
    );
    const posted = await askPlayground(without, browser, 'token', {});
    await without.close();
    for (const { status, body } of ours) expect({ status, body }).toEqual({ status: 404, body: unknown?.body });
    expect(posted).toMatchObject({ status: 404, body: { error: 'route_not_found' } });
  });
});

describe('the exchange in the playground', () => {
  it('shows everything but the secret and the verifier, and gets valid tokens', async () => {
    const browser = newBrowser();
    const { csrf, code, state } = await returnToPlayground(browser);
    const answer = await askPlayground(server, browser, 'token', { csrf, code, state });
    const { request, status, access } = exchangeIn(answer);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(status).toBe(200);
    expect(request).toContain(`code=${code}`);
    expect(request).toContain('code_verifier=••••••••');
    expect(request).toContain(`base64(${PILOT.clientId}:••••••••)`);
    expect(JSON.stringify(answer.body)).not.toContain(PILOT.secret);
    expect(await callApi(server, `Bearer ${access}`)).toMatchObject({
      status: 200,
      body: { clientId: PILOT.clientId },
    });
  });

  it('renews the tokens, then revokes them', async () => {
    const browser = newBrowser();
    const { csrf, code, state } = await returnToPlayground(browser);
    const first = exchangeIn(await askPlayground(server, browser, 'token', { csrf, code, state }));
    const renewed = exchangeIn(await askPlayground(server, browser, 'refresh', { csrf, token: first.refresh }));
    expect(renewed.status).toBe(200);
    expect(renewed.refresh).not.toBe(first.refresh);
    const revoked = await askPlayground(server, browser, 'revoke', { csrf, token: renewed.access });
    expect(revoked.body).toMatchObject({ response: { status: 200, body: null } });
    expect(await callApi(server, `Bearer ${renewed.access}`)).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
  });

  it('shows the refusal of an expired code', async () => {
    const browser = newBrowser();
    const { csrf, code, state } = await returnToPlayground(browser);
    server.clock.advance(61_000);
    const answer = await askPlayground(server, browser, 'token', { csrf, code, state });
    expect(answer.body).toMatchObject({ response: { status: 400, body: { error: 'invalid_grant' } } });
  });
});

describe('the playground of a service that takes only bound tokens (DPOP=required)', () => {
  it('says that it cannot get one, before anybody is asked for anything', async () => {
    const strict = await startTestServer({ requiresDpop: true }, {}, [PlaygroundModule]);
    try {
      for (const path of ['/oauth/playground', '/oauth/playground/pedido?scope=booking:write']) {
        const { status, body } = await new Browser(strict).get(path);
        expect([status, body]).toEqual([200, expect.stringContaining('só aceita tokens vinculados a uma chave')]);
        expect(body).not.toContain('<form');
      }
    } finally {
      await strict.close();
    }
  });
});
