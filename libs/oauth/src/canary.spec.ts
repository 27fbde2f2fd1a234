import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore } from '#event-store';
import { INTERNET } from '#remote';
import { FixedClock, ownFolder } from '#testing';
import {
  approved,
  basic,
  callApi,
  codeFields,
  newTokens,
  PILOT_BASIC,
  postIntrospect,
  postRevoke,
  postToken,
  reachConsent,
  refreshFields,
} from './testing/agent.js';
import { Browser, formTo } from './testing/browser.js';
import { securityEvents } from './testing/security-events.js';
import { startTestServer, type TestServer } from './testing/test-server.js';
import { OTHER_CLIENT, PASSWORD, PILOT } from './testing/test-settings.js';

const folder = ownFolder(async () => {
  await server.close();
  await documents.close();
  await eventStore.close();
});
let documents: EmbeddedDocuments;
let eventStore: EmbeddedEventStore;
let server: TestServer;
beforeAll(async () => {
  const clock = new FixedClock();
  documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  eventStore = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
  const settings = { keyEncryptionKeys: [new Uint8Array(32).fill(7)] };
  server = await startTestServer(settings, {}, [], INTERNET, undefined, { clock, documents, eventStore });
});

const stored = (): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('\n');

describe('after a whole authorization', () => {
  it('no store, no event and no log contains a password, secret, code, token, session or private key in clear', async () => {
    const code = (await approved(server)).searchParams.get('code') ?? '';
    const first = await postToken(server, codeFields(code));
    const second = await postToken(server, refreshFields(first.body['refresh_token']));
    await postToken(server, codeFields('x'.repeat(43)), {
      authorization: basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret),
    });
    await callApi(server, `Bearer ${second.body['access_token'] ?? ''}`);
    const token = second.body['refresh_token'];
    await postIntrospect(server, { token });
    await postIntrospect(server, { token: second.body['access_token'] });
    await postToken(server, codeFields(code));
    const third = await newTokens(server);
    await postToken(server, refreshFields(third.refresh));
    await postToken(server, refreshFields(third.refresh));
    const fourth = await newTokens(server);
    await postRevoke(server, { token: fourth.access, token_type_hint: 'access_token' });
    const events = await securityEvents(server);
    expect(events.map(({ type }) => type)).toEqual(['CodeReplayed', 'RefreshReused', 'TokenRevoked']);
    const browser = new Browser(server);
    const { fields } = formTo(await reachConsent(browser), '/oauth/consent');

    const secrets = [
      PASSWORD,
      PILOT.secret,
      PILOT_BASIC.slice(6),
      OTHER_CLIENT.secret,
      code,
      ...[first, second].flatMap(({ body }) => [body['access_token'], body['refresh_token']]),
      ...[third, fourth].flatMap(({ access, refresh }) => [access, refresh]),
      browser.cookies.get('alcada_session'),
      fields['request'],
      fields['csrf'],
    ];
    expect(stored()).toContain('ana@example.com');
    for (const path of ['token', 'revoke', 'introspect']) expect(server.log()).toContain(`POST /oauth/${path}`);
    expect(stored()).toContain('RefreshReused');
    for (const secret of secrets) {
      expect(secret?.length ?? 0).toBeGreaterThan(10);
      expect(stored()).not.toContain(secret);
      expect(server.log()).not.toContain(secret);
    }
    // The beginning of every RSA key in PKCS #8, in base64.
    expect(stored()).not.toMatch(/MIIE[vw]/);
  });
});
