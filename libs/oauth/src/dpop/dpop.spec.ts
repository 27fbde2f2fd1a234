import { createHash, generateKeyPairSync } from 'node:crypto';
import { openForAll } from '#testing';
import { decodeJwt, exportJWK, SignJWT } from 'jose';
import {
  authorizeFields,
  authorizeUrl,
  basic,
  callApi,
  codeFields,
  consentAt,
  type Fields,
  formOf,
  locationOf,
  newCode,
  newTokens,
  PILOT_BASIC,
  postIntrospect,
  postToken,
  refreshFields,
} from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import { type Claims, Prover } from '../testing/prover.js';
import { startTestServer } from '../testing/test-server.js';
import { ISSUER, OTHER_CLIENT, PILOT as PILOT_CLIENT, PUBLIC_CLIENT } from '../testing/test-settings.js';

const PATH = '/api/v1/quem-sou';
const PILOT = { authorization: PILOT_BASIC };
const PUBLIC = { client_id: PUBLIC_CLIENT };
const CONFIDENTIAL = { redirect_uri: 'https://outro.example/volta?a=1' };
const OTHER = { authorization: basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret) };

const server = openForAll(() => startTestServer());
let agent: Prover;
let token: string;
let refresh: string;
beforeEach(async () => {
  agent = await Prover.at(server);
  ({ token, refresh } = await boundTokens(agent));
  await agent.call(token); // so that it has a nonce
});

const boundTokens = async (prover: Prover) => {
  const { body } = await prover.token(codeFields(await newCode(prover.server)), PILOT);
  return { token: String(body['access_token']), refresh: String(body['refresh_token']) };
};
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
const call = async (claims: Claims = {}, path = PATH) =>
  agent.send('GET', path, await agent.headers(token, claims, path));
const refused = (error: string) => ({
  status: 401,
  body: { error: 'invalid_token' },
  headers: { 'www-authenticate': expect.stringContaining(`DPoP algs="ES256 EdDSA Ed25519", error="${error}"`) },
});

describe('a token request with a proof', () => {
  it('is told a nonce first, uses up nothing, and gets a token bound to its key', async () => {
    const code = await newCode(server);
    const newcomer = await Prover.at(server);
    const dpop = await newcomer.proof('POST', '/oauth/token');
    const told = await postToken(server, codeFields(code), { ...PILOT, dpop });
    expect(told).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
    newcomer.nonce = String(told.headers['dpop-nonce']);
    const { status, body } = await newcomer.token(codeFields(code), PILOT);
    expect([status, body['token_type']]).toEqual([200, 'DPoP']);
    expect(decodeJwt(String(body['access_token']))).toMatchObject({ cnf: { jkt: newcomer.jkt } });
  });

  it.each(['ES256', 'EdDSA', 'Ed25519'])('may be signed with %s, as the metadata says', async (alg) => {
    const { body } = await new Browser(server)
      .get('/.well-known/oauth-authorization-server')
      .then((answer) => ({ body: JSON.parse(answer.body) as Record<string, unknown> }));
    expect(body['dpop_signing_alg_values_supported']).toContain(alg);
    const prover = await Prover.at(server, alg);
    expect(await prover.call((await boundTokens(prover)).token)).toMatchObject({ status: 200 });
  });

  it.each([
    ['another method', { htm: 'GET' }, 'invalid_dpop_proof'],
    ['the API', { htu: `${ISSUER}${PATH}` }, 'invalid_dpop_proof'],
    ['an earlier time', { iat: 1 }, 'invalid_dpop_proof'],
    ['a nonce that nobody gave out', { nonce: 'x' }, 'use_dpop_nonce'],
  ])('is refused where its proof is for %s, and its code stays good', async (_, claims, error) => {
    const code = await newCode(server);
    const dpop = await agent.proof('POST', '/oauth/token', claims);
    expect(await postToken(server, codeFields(code), { ...PILOT, dpop })).toMatchObject({
      status: 400,
      body: { error },
    });
    expect(await agent.token(codeFields(code), PILOT)).toMatchObject({ status: 200 });
  });

  it('is refused with a proof that came before', async () => {
    const dpop = await agent.proof('POST', '/oauth/token');
    const send = async () => postToken(server, codeFields(await newCode(server)), { ...PILOT, dpop });
    expect(await send()).toMatchObject({ status: 200 });
    expect(await send()).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
  });

  it('leaves tokens without a proof as they were', async () => {
    const { body } = await postToken(server, codeFields(await newCode(server)));
    expect(body['token_type']).toBe('Bearer');
    expect(await callApi(server, `Bearer ${body['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
  });
});

describe('a code asked for with dpop_jkt (§10)', () => {
  it('is redeemed by that key alone; whoever has another neither uses it up nor ends the grant', async () => {
    const thief = await Prover.at(server);
    const code = await newCode(server, { dpop_jkt: agent.jkt });
    const refusal = { status: 400, body: { error: 'invalid_grant' } };
    expect(await postToken(server, codeFields(code))).toMatchObject(refusal);
    expect(await thief.token(codeFields(code), PILOT)).toMatchObject(refusal);
    const { status, body } = await agent.token(codeFields(code), PILOT);
    expect(status).toBe(200);
    expect(await thief.token(codeFields(code), PILOT)).toMatchObject(refusal);
    expect(await agent.call(String(body['access_token']))).toMatchObject({ status: 200 });
  });

  it('is bound by the proof of a pushed request as well, which is for that key or none (§10.1)', async () => {
    const push = (fields: Fields) => agent.post('/oauth/par', authorizeFields(fields), PILOT);
    const other = { dpop_jkt: 'a'.repeat(43) };
    expect(await push(other)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    for (const fields of [{}, { dpop_jkt: agent.jkt }]) {
      const pushed = await push(fields);
      expect(pushed).toMatchObject({ status: 201 });
      const request = { client_id: PILOT_CLIENT.clientId, request_uri: String(pushed.body['request_uri']) };
      const browser = new Browser(server);
      const page = await consentAt(browser, `/oauth/authorize?${formOf(request).toString()}`);
      const back = locationOf(await browser.post(formTo(page, '/oauth/consent'), { decision: 'approve' }));
      const code = codeFields(back.searchParams.get('code') ?? '');
      expect(await postToken(server, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await agent.token(code, PILOT)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    }
  });

  it.each(['x', `${'a'.repeat(42)}=`])('has to be a thumbprint: %s', async (flawed) => {
    const answer = await new Browser(server).get(authorizeUrl({ dpop_jkt: flawed }));
    expect(locationOf(answer).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('a bound token', () => {
  it('needs a new proof for every request, though its signature is remembered', async () => {
    for (const _ of [1, 2]) expect(await call()).toMatchObject({ status: 200 });
    const headers = await agent.headers(token);
    expect(await agent.send('GET', PATH, headers)).toMatchObject({ status: 200 });
    expect(await agent.send('GET', PATH, headers)).toMatchObject(refused('invalid_dpop_proof'));
    expect(await agent.send('GET', PATH, { authorization: `DPoP ${token}` })).toMatchObject(
      refused('invalid_dpop_proof'),
    );
  });

  it('uses up an id for its own key alone: whoever guesses the next one of another agent keeps it from nobody', async () => {
    const rival = await Prover.at(server);
    const { token: theirs } = await boundTokens(rival);
    const claims = { jti: 'guessed', nonce: agent.nonce };
    expect(await rival.send('GET', PATH, await rival.headers(theirs, claims))).toMatchObject({ status: 200 });
    expect(await call(claims)).toMatchObject({ status: 200 });
    expect(await call(claims)).toMatchObject(refused('invalid_dpop_proof'));
  });

  it('is worth nothing to a thief: as a bearer token, with a key of their own, or with a proof they overheard', async () => {
    expect(await callApi(server, `Bearer ${token}`)).toMatchObject(refused('invalid_token'));
    const unproven = await agent.send('GET', PATH, { authorization: `DPoP ${token}` });
    expect(unproven).toMatchObject(refused('invalid_dpop_proof", error_description="a DPoP proof is required'));
    const thief = await Prover.at(server);
    thief.nonce = agent.nonce;
    expect(await thief.call(token)).toMatchObject(refused('invalid_token'));
    const { dpop = '' } = await agent.headers(token);
    const other = (await boundTokens(agent)).token;
    expect(await agent.send('GET', PATH, { authorization: `DPoP ${other}`, dpop })).toMatchObject(
      refused('invalid_dpop_proof'),
    );
  });

  it.each<[string, Claims]>([
    ['another method', { htm: 'POST' }],
    ['a method in small letters', { htm: 'get' }],
    ['another address', { htu: `${ISSUER}/api/v1/orders` }],
    ['an address that merely begins like ours', { htu: `${ISSUER}${PATH}x` }],
    ['another host', { htu: `https://evil.example${PATH}` }],
    ['another scheme', { htu: `https://127.0.0.1:3000${PATH}` }],
    ['an address with a user', { htu: `http://ana@127.0.0.1:3000${PATH}` }],
    ['no address', { htu: 'quem-sou' }],
    ['another token', { ath: hash('another') }],
    ['no token', { ath: undefined }],
    ['no method', { htm: undefined }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a jti that is no text', { jti: 7 }],
    ['a nonce that is no text', { nonce: ['x'] }],
    ['a time that is no number', { iat: 'now' }],
    ['no time', { iat: undefined }],
  ])('is refused with a proof for %s', async (_, claims) => {
    expect(await call(claims)).toMatchObject(refused('invalid_dpop_proof'));
  });

  it.each<[string, () => Claims]>([
    ['with a query and a fragment', () => ({ htu: `${ISSUER}${PATH}?a=1#b` })],
    ['in capital letters', () => ({ htu: `HTTP://127.0.0.1:3000${PATH}` })],
    ['with dots', () => ({ htu: `${ISSUER}/api/v1/../v1/quem-sou` })],
  ])('takes the address %s for the same (RFC 3986 §6.2)', async (_, claims) => {
    expect(await call(claims())).toMatchObject({ status: 200 });
  });

  it('is called by the name under which the request came, without its query', async () => {
    const path = `${PATH}?x=1`;
    expect(await call({ htu: ISSUER + PATH }, path)).toMatchObject({ status: 200 });
  });

  it('takes a proof for ten minutes behind our clock and one ahead, no more', async () => {
    const iat = Number(agent.claims('GET', PATH)['iat']);
    for (const good of [iat - 600, iat + 60]) expect(await call({ iat: good })).toMatchObject({ status: 200 });
    for (const bad of [iat - 601, iat + 61])
      expect(await call({ iat: bad })).toMatchObject(refused('invalid_dpop_proof'));
  });

  it('asks for a nonce, and for another once that is five minutes old; answers tell the next one', async () => {
    expect(await call({ nonce: undefined })).toMatchObject(refused('use_dpop_nonce'));
    const { nonce } = agent;
    server.clock.advance(60_000);
    expect(await call({ nonce })).toMatchObject({ status: 200, headers: { 'dpop-nonce': agent.nonce } });
    expect(agent.nonce).not.toBe(nonce);
    expect((await call()).headers['dpop-nonce']).toBeUndefined();
    server.clock.advance(240_000);
    expect(await call({ nonce })).toMatchObject(refused('use_dpop_nonce'));
  });

  it('names its key on introspection, as its refresh token does', async () => {
    const told = { active: true, cnf: { jkt: agent.jkt } };
    expect((await postIntrospect(server, { token })).body).toMatchObject({ ...told, token_type: 'DPoP' });
    expect((await postIntrospect(server, { token: refresh })).body).toMatchObject(told);
    const { access } = await newTokens(server);
    expect((await postIntrospect(server, { token: access })).body).not.toHaveProperty('cnf');
  });

  it('does not make of an unbound one more than it is', async () => {
    const { access } = await newTokens(server);
    const answer = await agent.send('GET', PATH, await agent.headers(access));
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });
});

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });

describe('a hostile proof', () => {
  const claims = () => ({ ...agent.claims('GET', PATH), ath: hash(token) });
  it.each<[string, () => string | Promise<string>]>([
    [
      'with its private key',
      async () => agent.proof('GET', PATH, claims(), { jwk: await exportJWK(agent.privateKey) }),
    ],
    ['of another type', () => agent.proof('GET', PATH, claims(), { typ: 'JWT' })],
    ['of the type of access tokens', () => agent.proof('GET', PATH, claims(), { typ: 'at+jwt' })],
    ['without a type', () => agent.proof('GET', PATH, claims(), { typ: undefined })],
    ['without a key', () => agent.proof('GET', PATH, claims(), { jwk: undefined })],
    ['with a key of no curve', () => agent.proof('GET', PATH, claims(), { jwk: { ...agent.jwk, crv: 'P-521' } })],
    ['with a point off the curve', () => agent.proof('GET', PATH, claims(), { jwk: { ...agent.jwk, y: agent.jwk.x } })],
    ['with a symmetric key', () => agent.proof('GET', PATH, claims(), { jwk: { kty: 'oct', k: 'c2VjcmV0' } })],
    ['with another one’s key', async () => agent.proof('GET', PATH, claims(), { jwk: (await Prover.at(server)).jwk })],
    [
      'with an extension to understand',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: agent.jwk, crit: ['x'], x: 1 })
          .sign(agent.privateKey, { crit: { x: false } }),
    ],
    ['by alg none', () => `${base64url({ alg: 'none', typ: 'dpop+jwt', jwk: agent.jwk })}.${base64url(claims())}.`],
    [
      'by HS256 with its public key',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: agent.jwk })
          .sign(Buffer.from(JSON.stringify(agent.jwk))),
    ],
    [
      'by RS256, which is not offered',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', typ: 'dpop+jwt', jwk: rsa.publicKey.export({ format: 'jwk' }) })
          .sign(rsa.privateKey),
    ],
    [
      'by ES384, which is not offered',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES384', typ: 'dpop+jwt', jwk: curve384.publicKey.export({ format: 'jwk' }) })
          .sign(curve384.privateKey),
    ],
    ['without its signature', async () => (await agent.proof('GET', PATH, claims())).replace(/[^.]+$/, '')],
    [
      'with changed claims',
      async () => (await agent.proof('GET', PATH)).replace(/\.[^.]+\./, `.${base64url(claims())}.`),
    ],
    ['of 12,000 characters', () => agent.proof('GET', PATH, { ...claims(), more: 'x'.repeat(9_000) })],
    ['of three dots', () => '...'],
    ['of nothing', () => ''],
    ['of nested lists', () => `${Buffer.from('['.repeat(2_000)).toString('base64url')}.e30.e30`],
    [
      'that comes twice',
      async () => `${await agent.proof('GET', PATH, claims())}, ${await agent.proof('GET', PATH, claims())}`,
    ],
  ])('%s is refused', async (_, forge) => {
    const answer = await agent.send('GET', PATH, { authorization: `DPoP ${token}`, dpop: await forge() });
    expect(answer).toMatchObject(refused('invalid_dpop_proof'));
  });

  it('leaves a good one good', async () => expect(await call()).toMatchObject({ status: 200 }));
});

describe('a refresh token', () => {
  it('of every client is bound to the key, also where that has a secret; whoever has another one changes nothing by it', async () => {
    const thief = await Prover.at(server);
    const refusal = { status: 400, body: { error: 'invalid_grant' } };
    for (const [fields, headers] of [
      [PUBLIC, {}],
      [{}, PILOT],
      [CONFIDENTIAL, OTHER],
    ] as const) {
      const client_id = 'redirect_uri' in fields ? { client_id: OTHER_CLIENT.clientId } : {};
      const code = await newCode(server, { ...fields, ...client_id });
      const first = await agent.token({ ...codeFields(code), ...fields }, headers);
      const old = { ...refreshFields(String(first.body['refresh_token'])), ...fields };
      expect(await thief.token(old, headers)).toMatchObject(refusal);
      expect(await postToken(server, old, headers)).toMatchObject(refusal);
      const second = await agent.token(old, headers);
      expect(second).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
      expect(await thief.token(old, headers)).toMatchObject(refusal); // it was used before, but not by whoever may use it
      expect(await agent.call(String(second.body['access_token']))).toMatchObject({ status: 200 });
      expect(await agent.token(old, headers)).toMatchObject(refusal); // and this ends the family
      expect(await agent.call(String(second.body['access_token']))).toMatchObject({ status: 401 });
    }
  });

  it('that was not bound becomes so with the first proof', async () => {
    const { refresh: unbound } = await newTokens(server);
    const { body } = await agent.token(refreshFields(unbound), PILOT);
    const bound = refreshFields(String(body['refresh_token']));
    expect(await postToken(server, bound)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await agent.token(bound, PILOT)).toMatchObject({ status: 200 });
  });
});

describe('a client that has to use proofs', () => {
  it('gets no token without one, and keeps its code', async () => {
    const stored = await server.documents.get<object>('clients', PUBLIC_CLIENT);
    if (!stored) throw new Error('no client');
    await server.documents.replace('clients', PUBLIC_CLIENT, stored.version, { ...stored.body, requireDpop: true });
    const fields = { ...codeFields(await newCode(server, PUBLIC)), ...PUBLIC };
    const refusal = await postToken(server, fields, {});
    expect(refusal).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
    expect(await agent.token(fields)).toMatchObject({ status: 200 });
  });
});

describe('a server that requires proofs (DPOP=required)', () => {
  it('issues no token without one, accepts no unbound one, and says so', async () => {
    const strict = await startTestServer({ requiresDpop: true });
    try {
      const { body } = await new Browser(strict).get('/.well-known/oauth-protected-resource');
      expect(JSON.parse(body)).toMatchObject({ dpop_bound_access_tokens_required: true });
      const code = await newCode(strict);
      const refusal = { status: 400, body: { error: 'invalid_dpop_proof' } };
      expect(await postToken(strict, codeFields(code))).toMatchObject(refusal);
      const prover = await Prover.at(strict);
      const tokens = await prover.token(codeFields(code), PILOT);
      expect(await prover.call(String(tokens.body['access_token']))).toMatchObject({ status: 200 });
      const { headers } = await callApi(strict, undefined);
      expect(headers['www-authenticate']).toMatch(/^DPoP algs="[^"]+", resource_metadata="[^"]+"$/);
    } finally {
      await strict.close();
    }
  });
});

describe('two processes over the same documents', () => {
  it('accept a proof once between them, each with the nonce of the other', async () => {
    const one = await startTestServer({ sharesDocuments: true });
    const other = await startTestServer({ sharesDocuments: true }, {}, [], undefined, undefined, one);
    try {
      const here = await Prover.at(one);
      const bound = (await boundTokens(here)).token;
      const there = new Prover(other, here.privateKey, here.jwk, here.jkt, here.alg);
      expect(await there.call(bound, { nonce: here.nonce })).toMatchObject({ status: 200 });
      const headers = await here.headers(bound);
      expect(await here.send('GET', PATH, headers)).toMatchObject({ status: 200 });
      expect(await there.send('GET', PATH, headers)).toMatchObject(refused('invalid_dpop_proof'));
    } finally {
      await other.close();
      await one.close();
    }
  });
});

it('whoever has no token learns that both schemes are there, the bearer token first (§7.2)', async () => {
  const { headers } = await callApi(server, undefined);
  expect(headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+", DPoP algs="ES256 EdDSA Ed25519"$/);
});
