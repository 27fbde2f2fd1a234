import { openForAll } from '#testing';
import { Grants } from '../grants/grants.js';
import { DpopProofs } from '../dpop/dpop-proofs.js';
import { OwnProofMemory } from '../dpop/proof-memory.js';
import { AccessTokenStrategy, PassportAccessTokens } from './verify-access-token.js';
import { SigningKeys } from '../keys/signing-keys.js';
import {
  basic,
  callApi,
  codeFields,
  type Fields,
  newCode,
  newTokens,
  PILOT_BASIC,
  postIntrospect,
  postRevoke,
  postToken,
  refreshFields,
} from '../testing/agent.js';
import { securityEvents } from '../testing/security-events.js';
import { startTestServer } from '../testing/test-server.js';
import { OTHER_CLIENT, PILOT, PUBLIC_CLIENT, testSettings } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());

type Tokens = Awaited<ReturnType<typeof newTokens>>;
const UNKNOWN_CLIENT = [401, 'invalid_client'] as const;
const INVALID_GRANT = [400, 'invalid_grant'] as const;
const NO_ANSWER = [200, undefined] as const;
const AUTH = { authorization: PILOT_BASIC };
const OTHER_AUTH = { authorization: basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret) };

const isAlive = async ({ access }: Tokens): Promise<boolean> =>
  (await callApi(server, `Bearer ${access}`)).status === 200;

/** Each row is a revocation that must revoke nothing. */
const HARMLESS: readonly [
  attack: string,
  rfc: string,
  change: (tokens: Tokens) => Fields,
  headers: Readonly<Record<string, string>>,
  status: number,
  error: string | undefined,
][] = [
  ['without client authentication', 'RFC 7009 §2.1', () => ({}), {}, ...UNKNOWN_CLIENT],
  ['with the client id alone', 'RFC 7009 §2.1', () => ({ client_id: PILOT.clientId }), {}, ...UNKNOWN_CLIENT],
  [
    'with a wrong secret',
    'RFC 7009 §2.1',
    () => ({}),
    { authorization: basic(PILOT.clientId, 'errado') },
    ...UNKNOWN_CLIENT,
  ],
  [
    'with the token itself as authentication',
    'RFC 7009 §2.1',
    () => ({}),
    { authorization: 'Bearer x' },
    ...UNKNOWN_CLIENT,
  ],
  ['by another client', 'RFC 7009 §2.1', () => ({}), OTHER_AUTH, ...INVALID_GRANT],
  [
    'by another client, of the refresh token',
    'RFC 7009 §2.1',
    ({ refresh }) => ({ token: refresh }),
    OTHER_AUTH,
    ...INVALID_GRANT,
  ],
  ['by a public client', 'RFC 7009 §5', () => ({ client_id: PUBLIC_CLIENT }), {}, ...INVALID_GRANT],
  ['without a token', 'RFC 7009 §2.1', () => ({ token: undefined }), AUTH, 400, 'invalid_request'],
  ['of garbage', 'RFC 7009 §2.2', () => ({ token: 'garbage' }), AUTH, ...NO_ANSWER],
  [
    'of a token with changed claims',
    'RFC 7515 §5.2',
    ({ access }) => ({ token: tampered(access) }),
    AUTH,
    ...NO_ANSWER,
  ],
  [
    'of a refresh token made up from the grant’s id',
    'RFC 6749 §10.10',
    ({ refresh }) => ({ token: madeUp(refresh) }),
    AUTH,
    ...NO_ANSWER,
  ],
  ['of an unknown grant', 'RFC 7009 §2.2', () => ({ token: `${crypto.randomUUID()}.x.y` }), AUTH, ...NO_ANSWER],
];

const tampered = (access: string): string => {
  const [head = '', payload = '', signature = ''] = access.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...claims, scope: 'catalog:read' })).toString('base64url');
  return [head, changed, signature].join('.');
};
const madeUp = (refresh: string): string => `${refresh.split('.')[0] ?? ''}.${'x'.repeat(43)}.${'y'.repeat(43)}`;

describe('a revocation', () => {
  it.each(HARMLESS)('%s revokes nothing (%s)', async (_, __, change, headers, status, error) => {
    const tokens = await newTokens(server);
    const before = await securityEvents(server);
    const answer = await postRevoke(server, { token: tokens.access, ...change(tokens) }, headers);
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
    expect(await isAlive(tokens)).toBe(true);
    expect(await postToken(server, refreshFields(tokens.refresh))).toMatchObject({ status: 200 });
    expect(await securityEvents(server)).toEqual(before);
  });

  it.each([
    ['an access token', 'access', undefined],
    ['a refresh token', 'refresh', undefined],
    ['an access token under a wrong hint', 'access', 'refresh_token'],
    ['a refresh token under an unknown hint', 'refresh', 'pct'],
  ] as const)('of %s revokes the whole family at once (RFC 7009 §2.1)', async (_, kind, hint) => {
    const first = await newTokens(server);
    const { body } = await postToken(server, refreshFields(first.refresh));
    const second = { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' };
    const answer = await postRevoke(server, { token: second[kind], token_type_hint: hint });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, false]);
    expect((await postToken(server, refreshFields(second.refresh))).body).toMatchObject({ error: 'invalid_grant' });
    expect((await postIntrospect(server, { token: second.access })).body).toEqual({ active: false });
  });

  /** The guard of another process. */
  const newGuard = (): PassportAccessTokens => {
    const { documents, clock } = server;
    const settings = testSettings();
    const keys = new SigningKeys(documents, clock, settings);
    const strategy = new AccessTokenStrategy(keys, settings);
    const proofs = new DpopProofs(new OwnProofMemory(clock), clock);
    const grants = new Grants(documents, clock);
    return new PassportAccessTokens(strategy, grants, keys, clock, proofs, settings);
  };

  it('takes effect in every process at once, since each guard reads the grant', async () => {
    const elsewhere = newGuard();
    const { access } = await newTokens(server);
    expect(await elsewhere.claimsAt('api', access)).toMatchObject({ client_id: PILOT.clientId });
    await postRevoke(server, { token: access });
    await expect(elsewhere.claimsAt('api', access)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('leaves nobody known who was, once that has been seen', async () => {
    const guard = newGuard();
    const { access } = await newTokens(server);
    const knownBy = (authorization?: string) =>
      guard.knownCallerOf({ headers: { authorization }, routeOptions: {} })?.clientId ?? null;
    expect(knownBy(`Bearer ${access}`)).toBeNull(); // nobody has verified it here
    await guard.claimsAt('api', access);
    expect([knownBy(`Bearer ${access}`), knownBy(`bearer ${access}`)]).toEqual([PILOT.clientId, PILOT.clientId]);
    expect([knownBy(), knownBy('Bearer'), knownBy(`DPoP ${access}`), knownBy(`Bearer ${access}x`)]).toEqual(
      Array.from({ length: 4 }, () => null),
    );
    await postRevoke(server, { token: access });
    await expect(guard.claimsAt('api', access)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(knownBy(`Bearer ${access}`)).toBeNull();
    const other = (await newTokens(server)).access;
    await guard.claimsAt('api', other);
    server.clock.advance(3_600_000);
    expect(knownBy(`Bearer ${other}`)).toBeNull();
  });

  it('of one family leaves the others alone', async () => {
    const [one, other] = [await newTokens(server), await newTokens(server)];
    await postRevoke(server, { token: one.access });
    expect([await isAlive(one), await isAlive(other)]).toEqual([false, true]);
  });

  it('is open to a public client, for its own tokens', async () => {
    const client_id = PUBLIC_CLIENT;
    const { body } = await postToken(server, { ...codeFields(await newCode(server, { client_id })), client_id }, {});
    const token = body['access_token'];
    expect(await postRevoke(server, { token, client_id }, {})).toMatchObject({ status: 200 });
    expect(await callApi(server, `Bearer ${token ?? ''}`)).toMatchObject({ status: 401 });
  });

  it('of a rotated refresh token revokes the family too', async () => {
    const tokens = await newTokens(server);
    await postToken(server, refreshFields(tokens.refresh));
    await postRevoke(server, { token: tokens.refresh });
    expect(await isAlive(tokens)).toBe(false);
  });

  it('of an expired access token revokes nothing, so that one found in a log can log nobody out', async () => {
    const tokens = await newTokens(server);
    server.clock.advance(3_600_000);
    expect(await postRevoke(server, { token: tokens.access })).toMatchObject({ status: 200 });
    expect(await postToken(server, refreshFields(tokens.refresh))).toMatchObject({ status: 200 });
  });

  it('is recorded once, with ids alone', async () => {
    const { access } = await newTokens(server);
    const { body: caller } = await callApi(server, `Bearer ${access}`);
    const before = await securityEvents(server);
    await postRevoke(server, { token: access });
    await postRevoke(server, { token: access });
    const written = (await securityEvents(server)).slice(before.length);
    const { holder, clientId, grantId } = caller;
    const revokedAt = server.clock.now();
    expect(written.map(({ type, data }) => [type, data])).toEqual([
      ['TokenRevoked', { holder, clientId, grantId, kind: 'access_token', revokedAt }],
    ]);
    expect(written[0]?.metadata.actor).toEqual({ holder, clientId });
  });
});
