import { openForAll } from '#testing';
import { baseUrlsAt } from '#http';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { PUBLISHED_BEFORE } from '../keys/signing-key.js';
import { SigningKeys } from '../keys/signing-keys.js';
import {
  authorizeUrl,
  callApi,
  codeFields,
  formOf,
  locationOf,
  newTokens,
  PILOT_BASIC,
  postToken,
  refreshFields,
} from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import { send } from '../testing/send.js';
import { startTestServer } from '../testing/test-server.js';
import { PASSWORD, testSettings } from '../testing/test-settings.js';

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

const server = openForAll(() => startTestServer());

const get = (path: string, from = server) => new Browser(from).get(path, { accept: 'application/json' });
const jwks = async () => JSON.parse((await get('/oauth/jwks')).body) as JSONWebKeySet;

describe('the metadata of the authorization server (RFC 8414)', () => {
  it('names the ways clients authenticate at each endpoint, and no more than exist', async () => {
    const metadata = JSON.parse((await get(WELL_KNOWN)).body) as Record<string, unknown>;
    const withAProof = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
    expect(metadata).toMatchObject({
      revocation_endpoint_auth_methods_supported: [...withAProof, 'none'],
      introspection_endpoint_auth_methods_supported: withAProof,
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
      prompt_values_supported: ['none', 'login', 'consent'],
    });
    expect(Object.keys(metadata).filter((name) => name.endsWith('_endpoint'))).toEqual([
      'authorization_endpoint',
      'pushed_authorization_request_endpoint',
      'token_endpoint',
      'revocation_endpoint',
      'introspection_endpoint',
    ]);
  });

  it('of an issuer with a path lies between the host and that path too (§3.1)', async () => {
    const issuer = 'https://voos.example/contas/login';
    const addresses = { urls: { ...baseUrlsAt('https://voos.example'), auth: issuer }, followLoopback: false };
    const other = await startTestServer({ addresses });
    try {
      for (const path of [WELL_KNOWN, `${WELL_KNOWN}/contas/login`, `/contas/login${WELL_KNOWN}`]) {
        const { body } = await get(path, other);
        expect(JSON.parse(body)).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
      }
      for (const path of [`${WELL_KNOWN}/contas`, `${WELL_KNOWN}/contas/login/`, `${WELL_KNOWN}/outro`]) {
        expect(await get(path, other)).toMatchObject({ status: 404 });
      }
    } finally {
      await other.close();
    }
  });

  it('of an issuer with a path names endpoints that exist', async () => {
    const issuer = 'https://voos.example/contas/login';
    const addresses = { urls: { ...baseUrlsAt('https://voos.example'), auth: issuer }, followLoopback: false };
    const other = await startTestServer({ addresses });
    try {
      const browser = new Browser(other);
      const login = await browser.get(`/contas/login${authorizeUrl()}`);
      const who = { username: 'ana@example.com', password: PASSWORD };
      const from = { origin: 'https://voos.example' };
      const entered = await browser.post(formTo(login, '/oauth/login'), who, from);
      const consent = formTo(await browser.get(locationOf(entered).pathname), '/oauth/consent');
      const back = locationOf(await browser.post(consent, { decision: 'approve' }, from)).searchParams;
      expect(back.get('iss')).toBe(issuer);

      const form = formOf(codeFields(back.get('code') ?? '')).toString();
      const headers = { authorization: PILOT_BASIC, 'content-type': 'application/x-www-form-urlencoded' };
      const sent = { method: 'POST', path: '/contas/login/oauth/token', headers, body: form } as const;
      const tokens = JSON.parse((await send(other.port, sent)).body) as Record<string, string>;
      expect(decodeJwt(tokens['access_token'] ?? '').iss).toBe(issuer);
      expect(await callApi(other, `Bearer ${tokens['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
    } finally {
      await other.close();
    }
  });

  it('of an issuer without one lies nowhere else', async () => {
    expect(await get(`${WELL_KNOWN}/contas`)).toMatchObject({ status: 404 });
  });
});

describe('the metadata of a resource (RFC 9728)', () => {
  const RESOURCE = '/.well-known/oauth-protected-resource';
  const urls = {
    auth: 'https://login.example',
    site: 'https://voos.example/loja',
    base: 'https://voos.example/loja/api/v1',
  };

  it('lies between the resource’s own host and path, where a refused call sends its client (§3.1, §5.1)', async () => {
    const other = await startTestServer({ addresses: { urls, followLoopback: false } });
    try {
      const { headers } = await callApi(other, undefined);
      const metadata = `https://voos.example${RESOURCE}/loja/api/v1`;
      expect(headers['www-authenticate']).toBe(
        `Bearer resource_metadata="${metadata}", DPoP algs="ES256 EdDSA Ed25519"`,
      );
      for (const [path, resource] of [
        [`${RESOURCE}/loja/api/v1`, urls.base],
        [`${RESOURCE}/loja/mcp`, `${urls.site}/mcp`],
      ]) {
        const metadata = JSON.parse((await get(path ?? '', other)).body) as unknown;
        expect(metadata).toMatchObject({ resource, authorization_servers: [urls.auth] });
      }
      expect(await get(`${RESOURCE}/api/v1`, other)).toMatchObject({ status: 404 });
    } finally {
      await other.close();
    }
  });
});

describe('the keys, rotated by another process', () => {
  it('verify old tokens as well as new ones, until the old ones have expired', async () => {
    const old = await newTokens(server);
    const elsewhere = new SigningKeys(server.documents, server.clock, testSettings());
    await elsewhere.start();
    await elsewhere.rotate();
    server.clock.advance(PUBLISHED_BEFORE);

    const { body } = await postToken(server, refreshFields(old.refresh));
    const fresh = body['access_token'] ?? '';
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old.access).kid);
    const keys = createLocalJWKSet(await jwks());
    for (const token of [old.access, fresh]) {
      expect(await callApi(server, `Bearer ${token}`)).toMatchObject({ status: 200 });
      await jwtVerify(token, keys, { currentDate: new Date(server.clock.now()) });
    }
    server.clock.advance(3_660_000);
    expect((await jwks()).keys.map(({ kid }) => kid)).toEqual([decodeProtectedHeader(fresh).kid]);
  });
});
