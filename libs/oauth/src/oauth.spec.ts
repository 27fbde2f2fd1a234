import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agencyStream } from '#events';
import { createRemoteJWKSet, createLocalJWKSet, jwtVerify } from 'jose';
import {
  approved,
  authorizeUrl,
  callApi,
  codeFields,
  locationOf,
  newCode,
  postToken,
  reachConsent,
  refreshFields,
} from './testing/agent.js';
import { Browser, formTo } from './testing/browser.js';
import { startTestServer, type TestServer } from './testing/test-server.js';
import { CALLBACK, ISSUER, PASSWORD } from './testing/test-settings.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('an agent and its traveller', () => {
  it('x', async () => {
    const back = await approved(server);
    console.log(back.href);
    const t = await postToken(server, codeFields(back.searchParams.get('code') ?? ''));
    console.log(t);
    console.log(await callApi(server, `Bearer ${t.body['access_token']}`));
    const r = await postToken(server, refreshFields(t.body['refresh_token']));
    console.log(r);
    console.log(await callApi(server, `Bearer ${r.body['access_token']}`));
  });
});
