import { openForAll } from '#testing';
import { millisecondsOf } from '#kernel';
import { decodeJwt } from 'jose';
import {
  basic,
  callApi,
  codeFields,
  type Fields,
  newCode,
  newTokens,
  PILOT_BASIC,
  postIntrospect,
  postToken,
  refreshFields,
} from '../testing/agent.js';
import { startTestServer } from '../testing/test-server.js';
import { ISSUER, PILOT, PUBLIC_CLIENT } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());
let tokens: Awaited<ReturnType<typeof newTokens>>;
beforeAll(async () => {
  tokens = await newTokens(server);
});

const UNKNOWN_CLIENT = [401, 'invalid_client'] as const;
const AUTH = { authorization: PILOT_BASIC };

const REFUSED: readonly [
  attack: string,
  rfc: string,
  change: Fields,
  headers: Readonly<Record<string, string>>,
  status: number,
  error: string,
][] = [
  ['without client authentication', 'RFC 7662 §2.1', {}, {}, ...UNKNOWN_CLIENT],
  ['with the client id alone', 'RFC 7662 §2.1', { client_id: PILOT.clientId }, {}, ...UNKNOWN_CLIENT],
  ['by a public client (token scanning)', 'RFC 7662 §4', { client_id: PUBLIC_CLIENT }, {}, ...UNKNOWN_CLIENT],
  ['with a wrong secret', 'RFC 7662 §2.1', {}, { authorization: basic(PILOT.clientId, 'errado') }, ...UNKNOWN_CLIENT],
  ['without a token', 'RFC 7662 §2.1', { token: undefined }, AUTH, 400, 'invalid_request'],
];

const INACTIVE: readonly [whose: string, token: () => string | Promise<string>][] = [
  ['garbage', () => 'garbage'],
  ['an unknown grant’s', () => `${crypto.randomUUID()}.x.y`],
  ['a code', () => newCode(server)],
  ['an access token without its signature', () => tokens.access.replace(/[^.]+$/, '')],
  ['another client’s access token', async () => (await newTokensOfPublicClient()).access_token ?? ''],
  ['another client’s refresh token', async () => (await newTokensOfPublicClient()).refresh_token ?? ''],
  ['a refresh token made up from the grant’s id', () => `${tokens.refresh.split('.')[0] ?? ''}.x.y`],
  [
    'a refresh token that was rotated away',
    async () => {
      const { refresh } = await newTokens(server);
      await postToken(server, refreshFields(refresh));
      return refresh;
    },
  ],
];

const newTokensOfPublicClient = async () => {
  const client_id = PUBLIC_CLIENT;
  const code = await newCode(server, { client_id });
  return (await postToken(server, { ...codeFields(code), client_id }, {})).body;
};

describe('an introspection', () => {
  it.each(REFUSED)('%s is refused (%s)', async (_, __, change, headers, status, error) => {
    const answer = await postIntrospect(server, { token: tokens.access, ...change }, headers);
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
  });

  it.each(INACTIVE)('of %s answers inactive and nothing else (RFC 7662 §2.2)', async (_, token) => {
    const answer = await postIntrospect(server, { token: await token() });
    expect([answer.status, answer.body]).toEqual([200, { active: false }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('of an access token answers its claims', async () => {
    const { body } = await postIntrospect(server, { token: tokens.access });
    const { iss, aud, sub, client_id, scope, exp, iat, jti } = decodeJwt(tokens.access);
    expect(body).toEqual({ active: true, token_type: 'Bearer', iss, aud, sub, client_id, scope, exp, iat, jti });
  });

  it('of an access token for the MCP endpoint alone answers that audience', async () => {
    const code = await newCode(server, { resource: `${ISSUER}/mcp` });
    const { body } = await postToken(server, codeFields(code));
    const answer = await postIntrospect(server, { token: body['access_token'] });
    expect(answer.body).toMatchObject({ active: true, aud: [`${ISSUER}/mcp`] });
  });

  it('of a refresh token answers what was granted and until when', async () => {
    const { refresh, access } = await newTokens(server);
    const { body } = await postIntrospect(server, { token: refresh, token_type_hint: 'access_token' });
    expect(body).toEqual({
      active: true,
      iss: ISSUER,
      aud: [`${ISSUER}/api/v1`, `${ISSUER}/mcp`],
      sub: decodeJwt(access).sub,
      client_id: PILOT.clientId,
      scope: 'booking:write receipt:read',
      exp: millisecondsOf(server.clock.now()) / 1000 + 30 * 86_400,
    });
  });

  it('answers inactive once the token is', async () => {
    const { access, refresh } = await newTokens(server);
    server.clock.advance(3_600_000);
    expect((await postIntrospect(server, { token: access })).body).toEqual({ active: false });
    expect((await postIntrospect(server, { token: refresh })).body).toMatchObject({ active: true });
    server.clock.advance(30 * 86_400_000);
    expect((await postIntrospect(server, { token: refresh })).body).toEqual({ active: false });
  });

  it('changes nothing, even for a rotated refresh token', async () => {
    const { refresh } = await newTokens(server);
    const { body } = await postToken(server, refreshFields(refresh));
    await postIntrospect(server, { token: refresh });
    expect(await callApi(server, `Bearer ${body['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
  });
});

it('an endpoint for clients answers 503 while the store cannot be reached, not that a token is inactive', async () => {
  const { access } = await newTokens(server);
  server.cutOff(true);
  const answer = await postIntrospect(server, { token: access });
  server.cutOff(false);
  expect([answer.status, answer.body['error']]).toEqual([503, 'temporarily_unavailable']);
});
