import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linksAt } from '#http';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { SigningKeys } from '../keys/signing-keys.js';
import { callApi, newTokens, postToken, refreshFields } from '../testing/agent.js';
import { Browser } from '../testing/browser.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { testSettings } from '../testing/test-settings.js';

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const get = (path: string, from = server) => new Browser(from).get(path, { accept: 'application/json' });
const jwks = async () => JSON.parse((await get('/oauth/jwks')).body) as JSONWebKeySet;

describe('the metadata of the authorization server (RFC 8414)', () => {
  it('names how clients authenticate where, and no more than there is', async () => {
    const metadata = JSON.parse((await get(WELL_KNOWN)).body) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      prompt_values_supported: ['none', 'login', 'consent'],
    });
    expect(Object.keys(metadata).filter((name) => name.endsWith('_endpoint'))).toEqual([
      'authorization_endpoint',
      'token_endpoint',
      'revocation_endpoint',
      'introspection_endpoint',
    ]);
  });

  it('of an issuer with a path lies between the host and that path too (§3.1)', async () => {
    const issuer = 'https://voos.example/contas/login';
    const addresses = { links: { ...linksAt('https://voos.example'), auth: issuer }, followLoopback: false };
    const other = await startTestServer({ addresses });
    try {
      for (const path of [WELL_KNOWN, `${WELL_KNOWN}/contas/login`]) {
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

  it('of an issuer without one lies nowhere else', async () => {
    expect(await get(`${WELL_KNOWN}/contas`)).toMatchObject({ status: 404 });
  });
});

describe('the keys, rotated by another process', () => {
  it('verify old tokens as well as new ones, until the old ones have expired', async () => {
    const old = await newTokens(server);
    const elsewhere = new SigningKeys(server.documents, server.clock, testSettings());
    await elsewhere.start();
    await elsewhere.rotate();
    server.clock.advance(10_000);

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
