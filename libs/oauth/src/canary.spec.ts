import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  approved,
  basic,
  callApi,
  codeFields,
  PILOT_BASIC,
  postToken,
  reachConsent,
  refreshFields,
} from './testing/agent.js';
import { Browser, formTo } from './testing/browser.js';
import { startTestServer, type TestServer } from './testing/test-server.js';
import { OTHER_CLIENT, PASSWORD, PILOT } from './testing/test-settings.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ keyEncryptionKey: new Uint8Array(32).fill(7) });
});
afterAll(() => server.close());

/** All bytes of all files of the stores. */
const stored = (): string =>
  readdirSync(server.folder)
    .map((file) => readFileSync(join(server.folder, file), 'latin1'))
    .join('\n');

describe('after a whole authorization', () => {
  it('no store and no log has a password, secret, code, token, session or private key in clear', async () => {
    const code = (await approved(server)).searchParams.get('code') ?? '';
    const first = await postToken(server, codeFields(code));
    const second = await postToken(server, refreshFields(first.body['refresh_token']));
    await postToken(server, codeFields('x'.repeat(43)), {
      authorization: basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret),
    });
    await callApi(server, `Bearer ${second.body['access_token'] ?? ''}`);
    const browser = new Browser(server);
    const { fields } = formTo(await reachConsent(browser), '/oauth/consent');

    const secrets = [
      PASSWORD,
      PILOT.secret,
      PILOT_BASIC.slice(6),
      OTHER_CLIENT.secret,
      code,
      ...[first, second].flatMap(({ body }) => [body['access_token'], body['refresh_token']]),
      browser.cookies.get('alcada_session'),
      fields['request'],
      fields['csrf'],
    ];
    expect(stored()).toContain('ana@example.com');
    expect(server.log()).toContain('POST /oauth/token');
    for (const secret of secrets) {
      expect(secret?.length ?? 0).toBeGreaterThan(10);
      expect(stored()).not.toContain(secret);
      expect(server.log()).not.toContain(secret);
    }
    // What every PKCS #8 key of RSA begins with, in base64.
    expect(stored()).not.toMatch(/MIIE[vw]/);
  });
});
