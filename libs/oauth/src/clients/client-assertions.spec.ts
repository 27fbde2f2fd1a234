import { generateKeyPairSync } from 'node:crypto';
import { millisecondsOf } from '#kernel';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import {
  authorizeFields,
  codeFields,
  type Fields,
  newCode,
  PILOT_BASIC,
  postIntrospect,
  postPar,
  postRevoke,
  postToken,
  refreshFields,
} from '../testing/agent.js';
import { answerJson, type DocumentServer, internetOf, serveDocuments } from '../../../remote/src/testing/index.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { CALLBACK, ISSUER, PILOT, testSettings } from '../testing/test-settings.js';
import { ASSERTION_TYPE } from './client-assertions.js';
import { clientKeysIn } from './client-keys.js';

const CLIENT = 'agente-com-chaves';
const RSA = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ED25519 = generateKeyPairSync('ed25519');
const ANOTHER = generateKeyPairSync('ed25519');
const jwks = clientKeysIn({
  keys: [
    { ...RSA.publicKey.export({ format: 'jwk' }), kid: 'rsa' },
    { ...P256.publicKey.export({ format: 'jwk' }), kid: 'p256' },
    { ...ED25519.publicKey.export({ format: 'jwk' }), kid: 'ed25519' },
  ],
});

/** A client whose keys are at an address of its own. */
const PUBLISHING = 'agente-que-publica';
let publisher: DocumentServer;
let published: readonly object[];
let isDown = false;

let server: TestServer;
beforeAll(async () => {
  const signing = { clientId: CLIENT, secret: null, jwks, name: 'Com chaves', redirectUris: [CALLBACK], pilot: false };
  const publishing = { ...signing, clientId: PUBLISHING, jwks: undefined, jwksUri: 'https://agente.example/jwks' };
  published = [{ kty: 'oct', k: 'x' }, { ...jwks.keys[2] }];
  publisher = await serveDocuments((_, response) =>
    isDown ? response.writeHead(500).end() : answerJson(response, { keys: published }),
  );
  const network = internetOf({ 'agente.example': publisher.port });
  server = await startTestServer({ clients: [...testSettings().clients, signing, publishing] }, {}, [], network);
});
afterAll(async () => {
  await server.close();
  await publisher.close();
});

const seconds = (): number => Math.floor(millisecondsOf(server.clock.now()) / 1000);
let ids = 0;

const signed = (
  change: JWTPayload & { readonly aud?: unknown } = {},
  header: JWTHeaderParameters = { alg: 'Ed25519', kid: 'ed25519' },
  key = ED25519.privateKey,
): Promise<string> => {
  const now = seconds();
  const claims = { iss: CLIENT, sub: CLIENT, aud: ISSUER, jti: `assertion-${(ids += 1)}`, iat: now, exp: now + 60 };
  return new SignJWT({ ...claims, ...change }).setProtectedHeader(header).sign(key);
};
const proof = (assertion: string): Fields => ({ client_assertion_type: ASSERTION_TYPE, client_assertion: assertion });

/** Pushes a request, which needs nothing but the client's authentication. */
const pushed = (assertion: string, more: Fields = {}) =>
  postPar(server, { ...authorizeFields({ client_id: CLIENT }), ...proof(assertion), ...more }, {});
const REFUSED = { status: 401, body: { error: 'invalid_client' } };

describe('a client that signs assertions (private_key_jwt, RFC 7523)', () => {
  it.each([
    ['PS256', 'rsa', RSA.privateKey],
    ['ES256', 'p256', P256.privateKey],
    ['EdDSA', 'ed25519', ED25519.privateKey],
    ['Ed25519', 'ed25519', ED25519.privateKey],
  ])('authenticates with %s', async (alg, kid, key) => {
    expect(await pushed(await signed({}, { alg, kid }, key))).toMatchObject({ status: 201 });
  });

  it('does so at every endpoint, with or without its client id beside the assertion', async () => {
    const code = await newCode(server, { client_id: CLIENT });
    const tokens = await postToken(server, { ...codeFields(code), ...proof(await signed()) }, {});
    expect(tokens).toMatchObject({ status: 200 });
    const refresh = { ...refreshFields(tokens.body['refresh_token']), client_id: CLIENT, ...proof(await signed()) };
    const { body } = await postToken(server, refresh, {});
    const token = { token: body['access_token'], client_id: CLIENT };
    const asked = await postIntrospect(server, { ...token, ...proof(await signed()) }, {});
    expect(asked).toMatchObject({ status: 200, body: { active: true, client_id: CLIENT } });
    expect((await postRevoke(server, { ...token, ...proof(await signed()) }, {})).status).toBe(200);
    const gone = await postIntrospect(server, { ...token, ...proof(await signed()) }, {});
    expect(gone.body).toEqual({ active: false });
  });

  it('is not believed an assertion that was used before, also where both come at once', async () => {
    const [first, second] = [await signed(), await signed({ exp: seconds() + 600 })];
    expect((await pushed(first)).status).toBe(201);
    expect(await pushed(first)).toMatchObject(REFUSED);
    const both = await Promise.all([pushed(second), pushed(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
    server.clock.advance(599_000);
    expect(await pushed(second)).toMatchObject(REFUSED);
    server.clock.advance(12_000);
    expect(await pushed(second)).toMatchObject(REFUSED);
  });

  it('nor within the second in which one ends that names a part of it', async () => {
    const assertion = await signed({ exp: seconds() + 1.5 });
    expect((await pushed(assertion)).status).toBe(201);
    server.clock.advance(11_700); // good until the whole second after it, with what clocks may differ
    expect(await pushed(assertion)).toMatchObject(REFUSED);
  });

  it.each<[string, () => Promise<string>]>([
    ['another key', () => signed({}, { alg: 'Ed25519', kid: 'ed25519' }, ANOTHER.privateKey)],
    ['a key that nobody knows', () => signed({}, { alg: 'Ed25519', kid: 'new' }, ANOTHER.privateKey)],
    [
      'a key of its own choice',
      () => {
        const jwk = ANOTHER.publicKey.export({ format: 'jwk' });
        return signed({}, { alg: 'Ed25519', jwk: { kty: 'OKP', ...jwk } }, ANOTHER.privateKey);
      },
    ],
    ['an algorithm that is not agreed', () => signed({}, { alg: 'RS256', kid: 'rsa' }, RSA.privateKey)],
    [
      'no signature',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await signed()).split('.')[1] ?? ''}.`,
    ],
    ['no audience', () => signed({ aud: undefined })],
    ['the token endpoint for an audience', () => signed({ aud: `${ISSUER}/oauth/token` })],
    ['another server for an audience', () => signed({ aud: 'https://evil.example' })],
    ['a list of audiences', () => signed({ aud: [ISSUER] })],
    ['another issuer', () => signed({ iss: PILOT.clientId })],
    ['another subject', () => signed({ sub: PILOT.clientId })],
    ['no id', () => signed({ jti: undefined })],
    ['an empty id', () => signed({ jti: '' })],
    ['no expiry', () => signed({ exp: undefined })],
    ['an expiry in the past', () => signed({ exp: seconds() - 11 })],
    ['an expiry far ahead', () => signed({ exp: seconds() + 601 })],
    ['an issue in the future', () => signed({ iat: seconds() + 11 })],
    ['a begin in the future', () => signed({ nbf: seconds() + 11 })],
    ['the type of a DPoP proof', () => signed({}, { alg: 'Ed25519', kid: 'ed25519', typ: 'dpop+jwt' })],
    ['no JWT at all', () => Promise.resolve('x.y.z')],
  ])('is refused with %s', async (_, assertion) => {
    expect(await pushed(await assertion())).toMatchObject(REFUSED);
  });

  it.each([7, null, { $gt: '' }, [CLIENT]])('is nobody whose assertion says it is %j', async (sub) => {
    const claims = Buffer.from(JSON.stringify({ sub })).toString('base64url');
    const answer = await pushed(`${Buffer.from('{"alg":"EdDSA"}').toString('base64url')}.${claims}.x`, {
      client_id: undefined,
    });
    expect(answer).toMatchObject(REFUSED);
  });

  it('may have a clock that is ten seconds ahead or behind', async () => {
    const ahead = seconds() + 10;
    expect((await pushed(await signed({ iat: ahead, nbf: ahead, exp: seconds() + 600 }))).status).toBe(201);
    expect((await pushed(await signed({ exp: seconds() - 9 }))).status).toBe(201);
  });

  it.each<[string, Fields, Readonly<Record<string, string>>, number]>([
    ['a secret beside it', { client_secret: 'x' }, {}, 400],
    ['another client’s credentials beside it', { client_id: undefined }, { authorization: PILOT_BASIC }, 400],
    [
      'another type of assertion',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      {},
      401,
    ],
    ['no type', { client_assertion_type: undefined }, {}, 401],
    ['another client id', { client_id: PILOT.clientId }, {}, 401],
    ['nothing but its id', { client_assertion: undefined, client_assertion_type: undefined }, {}, 401],
    ['a secret instead', { client_assertion: undefined, client_secret: 'x' }, {}, 401],
  ])('is refused with %s', async (_, change, headers, status) => {
    const fields = { ...authorizeFields({ client_id: CLIENT }), ...proof(await signed()), ...change };
    expect((await postPar(server, fields, headers)).status).toBe(status);
  });

  it('may publish its keys itself, and change them at any time', async () => {
    const own = { iss: PUBLISHING, sub: PUBLISHING };
    const pushedBy = async (header: JWTHeaderParameters, key = ED25519.privateKey) =>
      (await pushed(await signed(own, header, key), { client_id: PUBLISHING })).status;
    const [old, next] = [
      { alg: 'EdDSA', kid: 'ed25519' },
      { alg: 'EdDSA', kid: 'next' },
    ];
    expect([await pushedBy(old), await pushedBy(next, ANOTHER.privateKey)]).toEqual([201, 401]);
    published = [{ ...ANOTHER.publicKey.export({ format: 'jwk' }), kid: 'next' }];
    server.clock.advance(11_000);
    expect([await pushedBy(next, ANOTHER.privateKey), await pushedBy(old)]).toEqual([201, 401]);
    isDown = true;
    server.clock.advance(86_400_000);
    expect(await pushedBy(next, ANOTHER.privateKey)).toBe(401);
  });

  it('is the only one that may: a client with a secret is not', async () => {
    const fields = { ...authorizeFields(), ...proof(await signed({ iss: PILOT.clientId, sub: PILOT.clientId })) };
    expect(await postPar(server, fields, {})).toMatchObject(REFUSED);
  });
});
