import { openForAll } from '#testing';
import { baseUrlsAt } from '#http';
import { authorizeUrl, callApi, codeFields, newCode, postRevoke, postToken } from '../testing/agent.js';
import { Browser } from '../testing/browser.js';
import { startTestServer } from '../testing/test-server.js';
import { HOST, ISSUER, testSettings } from '../testing/test-settings.js';

const PAGE_CLIENT = {
  clientId: 'pagina',
  secret: null,
  name: 'Página',
  redirectUris: ['{site_url}/volta'],
  pilot: false,
  refresh: false,
} as const;

const clients = [...testSettings().clients, PAGE_CLIENT];

const request = { client_id: PAGE_CLIENT.clientId, redirect_uri: `${ISSUER}/volta` };

const server = openForAll(() => startTestServer({ clients }));

describe('a client in a page of the site', () => {
  it('gets an access token and no refresh token', async () => {
    const fields = { ...codeFields(await newCode(server, request)), client_id: PAGE_CLIENT.clientId };
    const { status, body } = await postToken(server, fields, {});
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);

    const authorization = `Bearer ${body['access_token'] ?? ''}`;
    expect(await callApi(server, authorization)).toMatchObject({ status: 200 });
    await postRevoke(server, { token: body['access_token'], client_id: PAGE_CLIENT.clientId }, {});
    expect(await callApi(server, authorization)).toMatchObject({ status: 401 });
  });

  it('is sent back to the site as the request addresses it, and nowhere else', async () => {
    const browser = new Browser(server);
    expect(await browser.get(authorizeUrl(request))).toMatchObject({ status: 200 });
    for (const redirect_uri of ['http://localhost:3000/volta', `${ISSUER}/volta/`, '{site_url}/volta']) {
      expect(await browser.get(authorizeUrl({ ...request, redirect_uri }))).toMatchObject({ status: 400 });
    }
  });

  it('is sent to the site where the site and the issuer have different addresses', async () => {
    const urls = { ...baseUrlsAt(`http://${HOST}`), site: 'https://voos.example' };
    const apart = await startTestServer({ clients, addresses: { urls, followLoopback: false } });
    const browser = new Browser(apart);
    try {
      const there = { ...request, redirect_uri: 'https://voos.example/volta' };
      expect(await browser.get(authorizeUrl(there))).toMatchObject({ status: 200 });
      expect(await browser.get(authorizeUrl(request))).toMatchObject({ status: 400 });
    } finally {
      await apart.close();
    }
  });
});
