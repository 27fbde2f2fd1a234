import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { openForAll } from '#testing';
import { millisecondsOf } from '#kernel';
import { CompactSign, decodeJwt, type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { openSigningKey, type SigningKey, storedSigningKey } from '../keys/signing-key.js';
import { callApi, newCode, newTokens } from '../testing/agent.js';
import { startTestServer, UNREACHABLE } from '../testing/test-server.js';
import { ISSUER } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());
let key: SigningKey;
let tokens: Awaited<ReturnType<typeof newTokens>>;
let claims: JWTPayload;

beforeAll(async () => {
  const stored = await server.documents.get('signing-keys', 'key-1');
  key = openSigningKey(storedSigningKey.parse(stored?.body), []);
});
beforeEach(async () => {
  tokens = await newTokens(server);
  claims = decodeJwt(tokens.access);
});

const header = (change: Partial<JWTHeaderParameters> = {}): JWTHeaderParameters => ({
  alg: 'RS256',
  typ: 'at+jwt',
  kid: key.kid,
  ...change,
});
const signed = (change: JWTPayload = {}, headerChange: Partial<JWTHeaderParameters> = {}): Promise<string> =>
  new SignJWT({ ...claims, ...change }).setProtectedHeader(header(headerChange)).sign(key.privateKey);

const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreignEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const seconds = (): number => Math.floor(millisecondsOf(server.clock.now()) / 1000);
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Our public key, in a form in which others know it, taken for a secret. */
const byPublicKey = (type: 'spki' | 'pkcs1'): Promise<string> => {
  const secret = createSecretKey(Buffer.from(key.publicKey.export({ format: 'pem', type })));
  return new SignJWT(claims).setProtectedHeader(header({ alg: 'HS256' })).sign(secret);
};

const FORGERIES: readonly [forgery: string, rfc: string, () => string | Promise<string>][] = [
  ['garbage', 'RFC 7519 §7.2', () => 'garbage'],
  ['nothing', 'RFC 6750 §2.1', () => ''],
  ['three dots', 'RFC 7519 §7.2', () => '...'],
  ['a refresh token', 'RFC 9068 §4', () => tokens.refresh],
  ['a code', 'RFC 9068 §4', () => newCode(server)],
  ['alg none', 'RFC 8725 §3.1', () => new UnsecuredJWT(claims).encode()],
  [
    'alg none with our kid and type',
    'RFC 8725 §3.1',
    () => `${base64url(header({ alg: 'none' }))}.${base64url(claims)}.`,
  ],
  ['no signature', 'RFC 7515 §5.2', () => tokens.access.replace(/[^.]+$/, '')],
  [
    'another token’s signature',
    'RFC 7515 §5.2',
    async () => `${tokens.access.replace(/[^.]+$/, '')}${(await newTokens(server)).access.split('.')[2] ?? ''}`,
  ],
  [
    'changed claims',
    'RFC 7515 §5.2',
    () =>
      [
        tokens.access.split('.')[0],
        base64url({ ...claims, scope: 'payment:execute' }),
        tokens.access.split('.')[2],
      ].join('.'),
  ],
  ['HS256 by our public key (alg confusion)', 'RFC 8725 §2.1', () => byPublicKey('spki')],
  ['HS256 by its older form', 'RFC 8725 §2.1', () => byPublicKey('pkcs1')],
  [
    'a stranger’s key under our kid',
    'RFC 7515 §5.2',
    () => new SignJWT(claims).setProtectedHeader(header()).sign(foreign.privateKey),
  ],
  [
    'ES256 under our kid',
    'RFC 8725 §3.1',
    () => new SignJWT(claims).setProtectedHeader(header({ alg: 'ES256' })).sign(foreignEc.privateKey),
  ],
  [
    'PS256 by our own key',
    'RFC 8725 §3.1',
    () => new SignJWT(claims).setProtectedHeader(header({ alg: 'PS256' })).sign(key.privateKey),
  ],
  [
    'a stranger’s key it brings along',
    'RFC 8725 §3.10',
    () => {
      const jwk = foreign.publicKey.export({ format: 'jwk' });
      const own = header({ jwk, kid: 'own' });
      return new SignJWT(claims).setProtectedHeader(own).sign(foreign.privateKey);
    },
  ],
  ['an unknown kid', 'RFC 7515 §4.1.4', () => signed({}, { kid: 'unknown' })],
  ['a kid that is a path', 'RFC 8725 §3.10', () => signed({}, { kid: '../../dev/null' })],
  ['a kid of the prototype', 'RFC 8725 §3.10', () => signed({}, { kid: '__proto__' })],
  [
    'no kid',
    'RFC 7515 §4.1.4',
    () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' }).sign(key.privateKey),
  ],
  ['another type', 'RFC 9068 §4', () => signed({}, { typ: 'JWT' })],
  [
    'no type',
    'RFC 9068 §4',
    () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(key.privateKey),
  ],
  [
    'an unknown critical extension',
    'RFC 7515 §4.1.11',
    () => {
      const critical = header({ crit: ['x'], x: 1 });
      return new SignJWT(claims).setProtectedHeader(critical).sign(key.privateKey, { crit: { x: false } });
    },
  ],
  ['no exp', 'RFC 9068 §2.2', () => signed({ exp: undefined })],
  ['an exp in the past', 'RFC 7519 §4.1.4', () => signed({ exp: seconds() })],
  [
    'an exp that is text',
    'RFC 7519 §4.1.4',
    () =>
      new CompactSign(Buffer.from(JSON.stringify({ ...claims, exp: 'never' })))
        .setProtectedHeader(header())
        .sign(key.privateKey),
  ],
  ['another issuer', 'RFC 9068 §4', () => signed({ iss: 'https://evil.example' })],
  ['an issuer that merely begins like ours', 'RFC 9068 §4', () => signed({ iss: `${ISSUER}.evil.example` })],
  ['a loopback issuer over https', 'RFC 9068 §4', () => signed({ iss: 'https://127.0.0.1:3000' })],
  ['no audience', 'RFC 9068 §2.2', () => signed({ aud: undefined })],
  ['another audience', 'RFC 8725 §3.9', () => signed({ aud: `${ISSUER}/mcp` })],
  ['an audience that merely begins like ours', 'RFC 8725 §3.9', () => signed({ aud: `${ISSUER}/api/v1x` })],
  [
    'an audience under another name than its issuer',
    'RFC 8725 §3.9',
    () => signed({ aud: 'http://localhost:3000/api/v1' }),
  ],
  ['an unknown scope', 'RFC 9068 §2.2.3', () => signed({ scope: 'booking:write admin' })],
  ['no client', 'RFC 9068 §2.2', () => signed({ client_id: undefined })],
  ['a grant that never was', 'RFC 7009 §2.1', () => signed({ jti: '11111111-1111-4111-8111-111111111111.x' })],
  ['a word behind a good one', 'RFC 6750 §2.1', () => `${tokens.access} x`],
  ['a second one behind a good one', 'RFC 6750 §2.1', () => `${tokens.access}, Bearer ${tokens.access}`],
  ['nothing at all', 'RFC 6750 §2.1', () => ''],
  ['a grant id that is none', 'RFC 9068 §2.2', () => signed({ jti: '../../x' })],
];

describe('the guard of the API', () => {
  it('accepts a token that our own key signed', async () => {
    for (const token of [tokens.access, await signed(), await signed({ aud: `${ISSUER}/api/v1` })]) {
      expect(await callApi(server, `Bearer ${token}`)).toMatchObject({ status: 200 });
    }
    expect(await callApi(server, `bearer ${tokens.access}`)).toMatchObject({ status: 200 });
  });

  it.each(FORGERIES)('refuses %s (%s)', async (_, __, forge) => {
    const { status, body, headers } = await callApi(server, `Bearer ${await forge()}`);
    expect([status, body['error']]).toEqual([401, 'invalid_token']);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it.each([undefined, '', 'Basic YTpi', 'Token x'])(
    'asks for a token where there is none: %s',
    async (authorization) => {
      const { status, body, headers } = await callApi(server, authorization);
      expect([status, body['error']]).toEqual([401, 'token_missing']);
      expect(headers['www-authenticate']).not.toContain('error=');
    },
  );

  it('reads no token from the query (RFC 6750 §5.3)', async () => {
    const called = await callApi(server, undefined, `/api/v1/quem-sou?access_token=${tokens.access}`);
    expect(called).toMatchObject({ status: 401, body: { error: 'token_missing' } });
  });

  it('refuses a token after an hour', async () => {
    server.clock.advance(3_600_000 - 1_000);
    expect(await callApi(server, `Bearer ${tokens.access}`)).toMatchObject({ status: 200 });
    server.clock.advance(1_000);
    expect(await callApi(server, `Bearer ${tokens.access}`)).toMatchObject({ status: 401 });
  });

  it('remembers a verified signature, and refuses it once its key is no longer in force', async () => {
    const another = await startTestServer();
    const { access } = await newTokens(another);
    for (const status of [200, 200]) expect(await callApi(another, `Bearer ${access}`)).toMatchObject({ status });
    await another.documents.delete('signing-keys', 'key-1');
    another.clock.advance(10_000); // by then every process has read the keys again
    expect(await callApi(another, `Bearer ${access}`)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    await another.close();
  });

  it('answers 503 and not 401 while it cannot know whether the grant is active', async () => {
    server.cutOff(true);
    const called = await callApi(server, `Bearer ${tokens.access}`);
    server.cutOff(false);
    expect(called).toMatchObject({ status: 503, body: { error: 'service_unavailable' } });
    expect(JSON.stringify(called)).not.toContain('mongodb');
    expect(server.log()).toContain(UNREACHABLE);
  });

  it('answers 503 and not 401 while it cannot look for an unknown key', async () => {
    server.clock.advance(60_000);
    server.cutOff(true);
    const called = await callApi(server, `Bearer ${await signed({}, { kid: 'unknown' })}`);
    server.cutOff(false);
    expect(called).toMatchObject({ status: 503, body: { error: 'service_unavailable' } });
  });
});
