import { openForAll } from '#testing';
import {
  basic,
  callApi,
  codeFields,
  type Fields,
  newCode,
  newTokens,
  PILOT_BASIC,
  postToken,
  refreshFields,
  type TokenReply,
} from '../testing/agent.js';
import { decodeJwt } from 'jose';
import { startTestServer, UNREACHABLE } from '../testing/test-server.js';
import { CALLBACK, ISSUER, OTHER_CLIENT, PILOT, PUBLIC_CLIENT } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());

const OTHER_BASIC = basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret);
const accessOf = ({ body }: TokenReply): string => `Bearer ${body['access_token'] ?? ''}`;

type Row = readonly [
  attack: string,
  rfc: string,
  change: Fields,
  headers: Readonly<Record<string, string>>,
  status: number,
  error: string,
];
const UNKNOWN_CLIENT = [401, 'invalid_client'] as const;
const INVALID_GRANT = [400, 'invalid_grant'] as const;
const INVALID_REQUEST = [400, 'invalid_request'] as const;
const OTHER_GRANT_TYPE = [400, 'unsupported_grant_type'] as const;
const AUTH = { authorization: PILOT_BASIC };
/** Well formed, and of no challenge. */
const WRONG_VERIFIER = 'a'.repeat(43);

/** Each row makes a code redemption invalid in one way; the code must stay valid for a correct one. */
const INVALID: readonly Row[] = [
  ['no client authentication', 'RFC 6749 §3.2.1', {}, {}, ...UNKNOWN_CLIENT],
  [
    'a verifier in place of the secret of a confidential client',
    'RFC 6749 §3.2.1',
    { client_id: PILOT.clientId },
    {},
    ...UNKNOWN_CLIENT,
  ],
  ['a wrong secret', 'RFC 6749 §5.2', {}, { authorization: basic(PILOT.clientId, 'errado') }, ...UNKNOWN_CLIENT],
  [
    'a wrong secret in the body',
    'RFC 6749 §2.3.1',
    { client_id: PILOT.clientId, client_secret: 'errado' },
    {},
    ...UNKNOWN_CLIENT,
  ],
  ['an unknown client', 'RFC 6749 §5.2', {}, { authorization: basic('ninguém', PILOT.secret) }, ...UNKNOWN_CLIENT],
  ['an empty secret', 'RFC 6749 §2.3.1', {}, { authorization: basic(PILOT.clientId, '') }, ...UNKNOWN_CLIENT],
  [
    'a public client that shows a secret',
    'RFC 6749 §2.3',
    { client_id: PUBLIC_CLIENT, client_secret: 'x' },
    {},
    ...UNKNOWN_CLIENT,
  ],
  ['a bearer token as client authentication', 'RFC 6749 §2.3', {}, { authorization: 'Bearer x' }, ...UNKNOWN_CLIENT],
  ['Basic that is not base64', 'RFC 7617 §2', {}, { authorization: 'Basic %%%' }, ...UNKNOWN_CLIENT],
  ['Basic without a colon', 'RFC 7617 §2', {}, { authorization: `Basic ${btoa('alcada-pilot')}` }, ...UNKNOWN_CLIENT],
  [
    'Basic and a secret in the body',
    'RFC 6749 §2.3',
    { client_id: PILOT.clientId, client_secret: PILOT.secret },
    AUTH,
    ...INVALID_REQUEST,
  ],
  ['Basic and another client in the body', 'RFC 6749 §2.3', { client_id: PUBLIC_CLIENT }, AUTH, ...INVALID_REQUEST],
  [
    "another client's authentication (code injection)",
    'RFC 9700 §4.5',
    {},
    { authorization: OTHER_BASIC },
    ...INVALID_GRANT,
  ],
  ['a public client with a stolen code', 'RFC 9700 §4.5', { client_id: PUBLIC_CLIENT }, {}, ...INVALID_GRANT],
  ['no grant type', 'RFC 6749 §4.1.3', { grant_type: undefined }, AUTH, ...INVALID_REQUEST],
  [
    'the password grant',
    'RFC 9700 §2.4',
    { grant_type: 'password', username: 'ana@example.com', password: 'x' },
    AUTH,
    ...OTHER_GRANT_TYPE,
  ],
  ['the client credentials grant', 'RFC 6749 §5.2', { grant_type: 'client_credentials' }, AUTH, ...OTHER_GRANT_TYPE],
  ['a grant type of the prototype', 'RFC 6749 §5.2', { grant_type: 'constructor' }, AUTH, ...OTHER_GRANT_TYPE],
  ['no code', 'RFC 6749 §4.1.3', { code: undefined }, AUTH, ...INVALID_REQUEST],
  ['an unknown code', 'RFC 6749 §5.2', { code: 'x'.repeat(43) }, AUTH, ...INVALID_GRANT],
  ['a code with characters outside VSCHAR', 'RFC 6749 A.11', { code: 'código\n\u007f' }, AUTH, ...INVALID_GRANT],
  ['no verifier (PKCE downgrade)', 'RFC 9700 §4.8', { code_verifier: undefined }, AUTH, ...INVALID_REQUEST],
  ['a verifier that is too short', 'RFC 7636 §4.1', { code_verifier: 'a'.repeat(42) }, AUTH, ...INVALID_REQUEST],
  [
    'another redirect URI',
    'RFC 6749 §4.1.3',
    { redirect_uri: 'http://localhost:8765/callback' },
    AUTH,
    ...INVALID_GRANT,
  ],
  ['an unknown resource', 'RFC 8707 §2.2', { resource: 'https://evil.example' }, AUTH, 400, 'invalid_target'],
  ['a wrong verifier', 'RFC 7636 §4.6', { code_verifier: WRONG_VERIFIER }, AUTH, ...INVALID_GRANT],
];

describe('POST /oauth/token with a code', () => {
  it.each(INVALID)('refuses %s and leaves the code valid (%s)', async (_, __, change, headers, status, error) => {
    const fields = codeFields(await newCode(server));
    const refused = await postToken(server, { ...fields, ...change }, headers);
    expect([refused.status, refused.body['error']]).toEqual([status, error]);
    expect(refused.headers['cache-control']).toBe('no-store');
    if (status === 401) expect(refused.headers['www-authenticate']).toMatch(/^Basic /);
    expect(await postToken(server, { ...fields, redirect_uri: CALLBACK })).toMatchObject({ status: 200 });
  });

  it('revokes nothing where a used code is sent with a wrong verifier (RFC 6749 §4.1.2)', async () => {
    const fields = codeFields(await newCode(server));
    const first = await postToken(server, fields);
    const replayed = await postToken(server, { ...fields, code_verifier: WRONG_VERIFIER });
    expect([replayed.status, replayed.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await callApi(server, accessOf(first))).toMatchObject({ status: 200 });
    await postToken(server, fields);
    expect(await callApi(server, accessOf(first))).toMatchObject({ status: 401 });
  });

  it('returns the names of UCP by which scopes were asked for, each time, and a token of ours', async () => {
    const scope = 'dev.ucp.shopping.order:read dev.ucp.shopping.order:manage';
    const first = await postToken(server, codeFields(await newCode(server, { scope })));
    expect(first.body['scope']).toBe(`order:write receipt:read ${scope}`);
    expect(decodeJwt(first.body['access_token'] ?? '')['scope']).toBe('order:write receipt:read');
    const narrowed = { ...refreshFields(first.body['refresh_token']), scope: 'dev.ucp.shopping.order:read' };
    expect((await postToken(server, narrowed)).body['scope']).toBe('receipt:read dev.ucp.shopping.order:read');
  });

  it('refuses the code of one authorization with the verifier of another', async () => {
    const fields = codeFields(await newCode(server, { code_challenge: 'a'.repeat(43) }));
    expect((await postToken(server, fields)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('refuses a code after a minute', async () => {
    const fields = codeFields(await newCode(server));
    server.clock.advance(60_000);
    expect((await postToken(server, fields)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('revokes what a replayed code has led to, up to 30 days later (RFC 9700 §2.1.1)', async () => {
    const fields = codeFields(await newCode(server));
    const first = await postToken(server, fields);
    const kept = await postToken(server, refreshFields(first.body['refresh_token']));
    server.clock.advance(29 * 86_400_000);
    const fresh = await postToken(server, refreshFields(kept.body['refresh_token']));
    expect(await callApi(server, accessOf(fresh))).toMatchObject({ status: 200 });
    expect((await postToken(server, fields)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await callApi(server, accessOf(fresh))).toMatchObject({ status: 401 });
    expect((await postToken(server, refreshFields(fresh.body['refresh_token']))).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('revokes nothing where another client sends the same code', async () => {
    const fields = codeFields(await newCode(server));
    const first = await postToken(server, fields);
    await postToken(server, fields, { authorization: OTHER_BASIC });
    expect(await callApi(server, accessOf(first))).toMatchObject({ status: 200 });
  });

  it('issues a token to at most one of many concurrent redemptions, and revokes it', async () => {
    const fields = codeFields(await newCode(server));
    const answers = await Promise.all(Array.from({ length: 10 }, () => postToken(server, fields)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const one of won) expect(await callApi(server, accessOf(one))).toMatchObject({ status: 401 });
  });
});

describe('POST /oauth/token with a refresh token', () => {
  const REFRESH: readonly Row[] = [
    ['a wrong secret', 'RFC 6749 §6', {}, { authorization: basic(PILOT.clientId, 'errado') }, ...UNKNOWN_CLIENT],
    ['no secret', 'RFC 6749 §6', { client_id: PILOT.clientId }, {}, ...UNKNOWN_CLIENT],
    ['another client', 'RFC 6749 §10.4', {}, { authorization: OTHER_BASIC }, ...INVALID_GRANT],
    ['a public client', 'RFC 6749 §10.4', { client_id: PUBLIC_CLIENT }, {}, ...INVALID_GRANT],
    ['no refresh token', 'RFC 6749 §6', { refresh_token: undefined }, AUTH, ...INVALID_REQUEST],
    ['a made-up refresh token', 'RFC 6749 §10.10', { refresh_token: 'x' }, AUTH, ...INVALID_GRANT],
    ['a scope more', 'RFC 6749 §6', { scope: 'booking:write payment:execute' }, AUTH, 400, 'invalid_scope'],
    ['an unknown scope', 'RFC 6749 §3.3', { scope: 'booking:write admin' }, AUTH, 400, 'invalid_scope'],
    ['an unknown resource', 'RFC 8707 §2.2', { resource: `${ISSUER}/outro` }, AUTH, 400, 'invalid_target'],
  ];

  it.each(REFRESH)('refuses %s and leaves the token valid (%s)', async (_, __, change, headers, status, error) => {
    const { refresh } = await newTokens(server);
    const refused = await postToken(server, { ...refreshFields(refresh), ...change }, headers);
    expect([refused.status, refused.body['error']]).toEqual([status, error]);
    expect(await postToken(server, refreshFields(refresh))).toMatchObject({ status: 200 });
  });

  it('refuses a resource that was not granted', async () => {
    const fields = codeFields(await newCode(server, { resource: `${ISSUER}/mcp` }));
    const { body } = await postToken(server, fields);
    const wider = await postToken(server, { ...refreshFields(body['refresh_token']), resource: `${ISSUER}/api/v1` });
    expect(wider.body).toMatchObject({ error: 'invalid_target' });
  });

  it('refuses an access token or a code in its place (token substitution)', async () => {
    const { access } = await newTokens(server);
    for (const token of [access, await newCode(server)]) {
      expect((await postToken(server, refreshFields(token))).body).toMatchObject({ error: 'invalid_grant' });
    }
  });

  it('revokes the family where a rotated one is used again (OAuth 2.1 §4.3.1)', async () => {
    const { refresh } = await newTokens(server);
    const second = await postToken(server, refreshFields(refresh));
    const third = await postToken(server, refreshFields(second.body['refresh_token']));
    const reused = { error: 'invalid_grant', error_description: expect.stringContaining('the refresh token is') };
    expect((await postToken(server, refreshFields(refresh))).body).toMatchObject(reused);
    expect(await callApi(server, accessOf(third))).toMatchObject({ status: 401 });
    expect((await postToken(server, refreshFields(third.body['refresh_token']))).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('does not revoke a family for somebody who only knows the id of the grant', async () => {
    const { access, refresh } = await newTokens(server);
    const [grantId, , proof] = refresh.split('.');
    for (const forged of [`${grantId ?? ''}.${'x'.repeat(43)}.${proof ?? ''}`, `${grantId ?? ''}.x`, grantId]) {
      expect((await postToken(server, refreshFields(forged))).body).toMatchObject({ error: 'invalid_grant' });
    }
    expect(await callApi(server, `Bearer ${access}`)).toMatchObject({ status: 200 });
  });

  it('issues a token to at most one of many concurrent uses, and revokes the family', async () => {
    const { access, refresh } = await newTokens(server);
    const answers = await Promise.all(Array.from({ length: 10 }, () => postToken(server, refreshFields(refresh))));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers) if (status !== 200) expect(body['error']).toBe('invalid_grant');
    expect(await callApi(server, `Bearer ${access}`)).toMatchObject({ status: 401 });
  });

  it('is valid for 30 days from its own issue', async () => {
    const { refresh } = await newTokens(server);
    server.clock.advance(30 * 86_400_000 - 1);
    const { body } = await postToken(server, refreshFields(refresh));
    server.clock.advance(30 * 86_400_000 - 1);
    const again = await postToken(server, refreshFields(body['refresh_token']));
    expect(again.status).toBe(200);
    server.clock.advance(30 * 86_400_000);
    expect((await postToken(server, refreshFields(again.body['refresh_token']))).body).toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('POST /oauth/token with a malformed body', () => {
  const json = { authorization: PILOT_BASIC, 'content-type': 'application/json' };

  it.each([
    ['a repeated parameter', 'RFC 6749 §3.2', 'grant_type=refresh_token&refresh_token=a&refresh_token=b', AUTH],
    ['an unknown parameter twice', 'RFC 6749 §3.2', 'grant_type=refresh_token&refresh_token=a&x=1&x=2', AUTH],
    [
      'an operator of a document store',
      'RFC 6749 §10.14',
      '{"grant_type":"authorization_code","code":{"$gt":""},"code_verifier":{"$gt":""}}',
      json,
    ],
    ['an array', 'RFC 6749 §3.2', '{"grant_type":["authorization_code"]}', json],
    ['a number', 'RFC 6749 §3.2', '{"grant_type":1}', json],
    ['an array of all', 'RFC 6749 §3.2', '[]', json],
    ['an oversized value', 'RFC 6749 §10.14', `grant_type=refresh_token&refresh_token=${'a'.repeat(3_000)}`, AUTH],
  ])('refuses %s (%s)', async (_, __, body, headers) => {
    const refused = await postToken(server, body, headers);
    expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_request']);
    expect(refused.body).toMatchObject({
      error_description: expect.any(String),
      message: expect.any(String),
      requestId: expect.any(String),
    });
  });
});

describe('POST /oauth/token while the store cannot be reached', () => {
  it('answers 503 in our own words, and works again afterwards', async () => {
    const { refresh } = await newTokens(server);
    server.cutOff(true);
    const refused = await postToken(server, refreshFields(refresh));
    server.cutOff(false);
    expect([refused.status, refused.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(JSON.stringify(refused)).not.toContain('mongodb');
    expect(server.log()).toContain(UNREACHABLE);
    expect(await postToken(server, refreshFields(refresh))).toMatchObject({ status: 200 });
  });
});
