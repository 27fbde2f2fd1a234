import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { apiAt, tokensFor } from '../support/agent.js';
import { refusalOf, refused } from '../support/refusal.js';
import { letPass, newFolder, removeFolder, startService } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const tested = new ServiceUnderTest();
let token: string;
beforeAll(async () => {
  token = (await tokensFor(tested.origin)).access_token;
});

/** What a protected operation answers to a bearer token, and the challenge that goes with it. */
const judged = async (bearer: string) => {
  let challenge: string | null = null;
  const refusal = await refusalOf(tested.service, async () => {
    const answer = await apiAt(tested.origin, bearer).get<never>('/bookings');
    challenge = answer.headers.get('www-authenticate');
    return answer;
  });
  return { ...refusal, challenge };
};
const invalid = () => {
  const metadata = `resource_metadata="${tested.origin}/.well-known/oauth-protected-resource/api/v1"`;
  return { ...refused(401, 'invalid_token'), challenge: `Bearer error="invalid_token", ${metadata}` };
};

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangerJwk = stranger.publicKey.export({ format: 'jwk' }) as JWK;
const header = (more: object) => ({ ...(decodeProtectedHeader(token) as { alg: string }), ...more });
const forged = (claims: object): string => {
  const [head = '', , signature = ''] = token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), ...claims })).toString('base64url');
  return `${head}.${payload}.${signature}`;
};

describe('a token', () => {
  it('is good as it was issued', async () =>
    expect(await apiAt(tested.origin, token).get('/bookings')).toMatchObject({ status: 200 }));

  it.each([
    ['garbage', () => 'garbage'],
    ['empty', () => ''],
    ['of three parts of nothing', () => 'e30.e30.e30'],
    ['with its signature cut off', () => token.slice(0, token.lastIndexOf('.') + 1)],
    ['with another end', () => token.slice(0, -6) + (token.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA')],
    ['with another payload', () => forged({ sub: randomUUID() })],
  ])('%s is invalid', async (_, made) => expect(await judged(made())).toEqual(invalid()));

  it('without a signature (alg none) is invalid', async () => {
    const claims = decodeJwt(token);
    const unsigned = new UnsecuredJWT(claims).encode();
    expect(await judged(unsigned)).toEqual(invalid());
    const { typ, kid } = decodeProtectedHeader(token);
    const head = Buffer.from(JSON.stringify({ alg: 'none', typ, kid })).toString('base64url');
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await judged(`${head}.${payload}.`)).toEqual(invalid());
  });

  it('signed with the public key for a secret (HS256) is invalid', async () => {
    const { keys } = (await (await fetch(`${tested.origin}/oauth/jwks`)).json()) as { keys: JWK[] };
    const [jwk = {}] = keys;
    const publicKey = await importJWK(jwk, 'RS256');
    if (publicKey instanceof Uint8Array) throw new Error('a public key was expected');
    const pem = await exportSPKI(publicKey);
    for (const secret of [pem, createPublicKey(pem).export({ type: 'pkcs1', format: 'pem' }).toString()]) {
      const confused = new SignJWT(decodeJwt(token)).setProtectedHeader(header({ alg: 'HS256' }));
      expect(await judged(await confused.sign(new TextEncoder().encode(secret)))).toEqual(invalid());
    }
  });

  it.each([
    ['under our key id', () => ({})],
    ['under a key id of its own', () => ({ kid: 'mine' })],
    ['that brings its key along', () => ({ kid: 'mine', jwk: strangerJwk })],
  ])('signed by a stranger, %s, is invalid', async (_, more) => {
    const made = new SignJWT(decodeJwt(token)).setProtectedHeader(header(more()));
    expect(await judged(await made.sign(stranger.privateKey))).toEqual(invalid());
  });

  it('of another issuer is invalid, though well signed by it', async () => {
    const elsewhere = await newFolder();
    const other = await startService(elsewhere);
    try {
      const theirs = (await tokensFor(other.origin)).access_token;
      expect(await apiAt(other.origin, theirs).get('/bookings')).toMatchObject({ status: 200 });
      expect(await judged(theirs)).toEqual(invalid());
    } finally {
      await other.stop();
      await removeFolder(elsewhere);
    }
  });
});

describe('an expired token', () => {
  it('is invalid after 3600 seconds, and not before', async () => {
    const { access_token: fresh, expires_in } = await tokensFor(tested.origin, { scopes: ['booking:write'] });
    expect(expires_in).toBe(3600);
    const api = apiAt(tested.origin, fresh);
    letPass(tested.service, 3_590_000);
    expect(await api.get('/bookings')).toMatchObject({ status: 200 });
    letPass(tested.service, 10_000);
    expect(await judged(fresh)).toEqual(invalid());
    expect(await api.get('/flights/AL1201')).toMatchObject({ status: 200 });
  });
});
