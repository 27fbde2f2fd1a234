import { createHash } from 'node:crypto';
import { openForAll } from '#testing';
import { type RequestSignature, RequestSignatures, type SignedRequest } from '#http';
import {
  authorizeFields,
  authorizeUrl,
  basic,
  codeFields,
  consentAt,
  type Fields,
  formOf,
  locationOf,
  postPar,
  postToken,
} from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import { startTestServer } from '../testing/test-server.js';
import { CALLBACK, ISSUER, OTHER_CLIENT, PILOT, PUBLIC_CLIENT, PUSHING_CLIENT } from '../testing/test-settings.js';

/** Signatures that say what they come to, in JSON. */
class PlainSignatures extends RequestSignatures {
  ofRead({ headers }: SignedRequest): RequestSignature {
    return JSON.parse(String(headers['signature-input'])) as RequestSignature;
  }

  ofWrite(request: SignedRequest): Promise<RequestSignature> {
    return Promise.resolve(this.ofRead(request));
  }
}

const server = openForAll(() => startTestServer({}, {}, [], undefined, new PlainSignatures()));

const pushed = async (change: Fields = {}): Promise<string> =>
  (await postPar(server, authorizeFields(change))).body['request_uri'] ?? '';
const addressOf = (requestUri: string, more: Fields = {}): string =>
  `/oauth/authorize?${formOf({ client_id: PILOT.clientId, request_uri: requestUri, ...more }).toString()}`;

/** What a browser is told that may not begin a request: never a redirect, since nothing says where to. */
const refusal = async (address: string) => {
  const { status, headers, body } = await new Browser(server).get(address, { accept: 'application/json' });
  expect(headers).not.toHaveProperty('location');
  return { status, ...(JSON.parse(body) as { readonly error: string }) };
};
const INVALID = { status: 400, error: 'invalid_request_uri' };

describe('a pushed authorization request (RFC 9126)', () => {
  it('leads to its consent and its code, and the browser carries nothing of it', async () => {
    const answer = await postPar(server, authorizeFields());
    expect(answer).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' }, body: { expires_in: 300 } });
    const address = addressOf(answer.body['request_uri'] ?? '');
    expect([...new URL(address, ISSUER).searchParams.keys()]).toEqual(['client_id', 'request_uri']);
    const browser = new Browser(server);
    const consent = formTo(await consentAt(browser, address), '/oauth/consent');
    const back = locationOf(await browser.post(consent, { decision: 'approve' }));
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['estado', ISSUER]);
    const tokens = await postToken(server, codeFields(back.searchParams.get('code') ?? ''));
    expect(tokens).toMatchObject({ status: 200, body: { scope: 'booking:write receipt:read' } });
  });

  it.each(['approve', 'deny'])('is good for one consent, though its page may be loaded again: %s', async (decision) => {
    const address = addressOf(await pushed());
    const [browser, other] = [new Browser(server), new Browser(server)];
    await consentAt(browser, address);
    const again = formTo(await consentAt(browser, address), '/oauth/consent');
    const elsewhere = formTo(await consentAt(other, address), '/oauth/consent');
    expect((await browser.post(again, { decision })).status).toBe(303);
    expect((await other.post(elsewhere, { decision: 'approve' })).status).toBe(400);
    expect(await refusal(address)).toMatchObject(INVALID);
  });

  it('is for its own client, whoever has learnt its address', async () => {
    const requestUri = await pushed();
    for (const client_id of [OTHER_CLIENT.clientId, PUBLIC_CLIENT])
      expect(await refusal(addressOf(requestUri, { client_id }))).toMatchObject(INVALID);
    for (const client_id of [undefined, 'nobody'])
      expect(await refusal(addressOf(requestUri, { client_id }))).toMatchObject({
        status: 400,
        error: 'invalid_request',
      });
    expect(await new Browser(server).get(addressOf(requestUri))).toMatchObject({ status: 200 });
  });

  it('waits five minutes for its browser, which then has a quarter of an hour', async () => {
    const [late, timely] = [addressOf(await pushed()), addressOf(await pushed())];
    server.clock.advance(299_000);
    const browser = new Browser(server);
    const consent = formTo(await consentAt(browser, timely), '/oauth/consent');
    server.clock.advance(1_000);
    expect([await refusal(late), await refusal(timely)]).toMatchObject([INVALID, INVALID]);
    server.clock.advance(890_000);
    expect((await browser.post(consent, { decision: 'approve' })).status).toBe(303);
  });

  it('is what was pushed, whatever stands beside its address', async () => {
    const evil = { scope: 'payment:execute', redirect_uri: 'https://evil.example/', state: 'x', code_challenge: 'y' };
    const browser = new Browser(server);
    const consent = formTo(await consentAt(browser, addressOf(await pushed(), evil)), '/oauth/consent');
    const back = locationOf(await browser.post(consent, { decision: 'approve' }));
    expect([`${back.origin}${back.pathname}`, back.searchParams.get('state')]).toEqual([CALLBACK, 'estado']);
    const { body } = await postToken(server, codeFields(back.searchParams.get('code') ?? ''));
    expect(body['scope']).toBe('booking:write receipt:read');
  });

  it.each<[string, (address: string) => string]>([
    ['a second address', (address) => `${address}&request_uri=urn:ietf:params:oauth:request_uri:x`],
    ['a second client', (address) => `${address}&client_id=${PUBLIC_CLIENT}`],
    ['a request object', (address) => `${address}&request=eyJhbGciOiJub25lIn0.e30.`],
  ])('is not begun with %s beside it', async (_, changed) => {
    expect((await refusal(changed(addressOf(await pushed())))).status).toBe(400);
  });

  it.each(['', 'x', '__proto__'])('is not found under an invented id: %j', async (id) => {
    expect(await refusal(addressOf(`urn:ietf:params:oauth:request_uri:${id}`))).toMatchObject(INVALID);
  });

  it('cannot be replaced by a request that was never pushed', async () => {
    const page = await consentAt(new Browser(server), authorizeUrl());
    const id = formTo(page, '/oauth/consent').fields['request'] ?? '';
    expect(await refusal(addressOf(`urn:ietf:params:oauth:request_uri:${id}`))).toMatchObject(INVALID);
  });
});

describe('POST /oauth/par', () => {
  it.each<[string, Fields, string]>([
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['an address instead of a request', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
    ['an address of another client', { redirect_uri: 'https://outro.example/volta?a=1' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['flawed details', { authorization_details: '[]' }, 'invalid_authorization_details'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['two ways to say which client', { client_id: PUBLIC_CLIENT }, 'invalid_request'],
  ])('tells the client itself of %s', async (_, change, error) => {
    const answer = await postPar(server, authorizeFields(change));
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('authenticates the client as the token endpoint does; a public client has nothing to prove', async () => {
    const wrong = { authorization: basic(PILOT.clientId, 'errado') };
    expect(await postPar(server, authorizeFields(), wrong)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await postPar(server, authorizeFields(), {})).status).toBe(401);
    expect((await postPar(server, authorizeFields({ client_id: PUBLIC_CLIENT }), {})).status).toBe(201);
  });
});

describe('a pushed request that is signed (Web Bot Auth)', () => {
  const OTHER = basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret);
  const [client_id, redirect_uri] = [OTHER_CLIENT.clientId, 'https://outro.example/volta?a=1'];
  const BY_HOST = { outcome: 'verified', host: 'outro.example', coversRequest: true } as const;

  /** What the consent page of a request says, as text. */
  const sent = authorizeFields({ client_id, redirect_uri });
  const signedWith = (signature: RequestSignature | null, digested = formOf(sent).toString()) => ({
    authorization: OTHER,
    'content-digest': `sha-256=:${createHash('sha256').update(digested).digest('base64')}:`,
    ...(signature && { 'signature-input': JSON.stringify(signature) }),
  });
  const asked = async (signature: RequestSignature | null): Promise<string> => {
    const { body } = await postPar(server, sent, signedWith(signature));
    const page = await consentAt(new Browser(server), addressOf(body['request_uri'] ?? '', { client_id }));
    return page.body.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  };

  it('tells the traveller whose agent asks, where the code goes to the same host', async () => {
    expect(await asked(BY_HOST)).toContain('Identidade verificada: assinado por outro.example');
  });

  it.each<[string, RequestSignature | null]>([
    ['is not signed', null],
    ['is signed by a host that gets no code', { ...BY_HOST, host: 'agente.example' }],
    ['is signed by the same name at another port', { ...BY_HOST, host: 'outro.example:8443' }],
    ['is signed for any request', { ...BY_HOST, coversRequest: false }],
    ['has a signature of which nothing is known', { outcome: 'unverified' }],
  ])('says nothing of that where it %s', async (_, signature) => {
    const text = await asked(signature);
    expect(text).toContain('Outro agente');
    expect(text).not.toContain('verificada');
  });

  it.each(['', 'another body'])('is refused where its signature is made for %j', async (digested) => {
    const answer = await postPar(server, sent, signedWith(BY_HOST, digested));
    expect(answer).toMatchObject({ status: 403, body: { error: 'invalid_signature' } });
  });

  it('is refused where the signature is wrong, before the client is looked at', async () => {
    const headers = { 'signature-input': JSON.stringify({ outcome: 'wrong', reason: 'expired' }) };
    const answer = await postPar(server, authorizeFields({ client_id }), headers);
    expect(answer).toMatchObject({ status: 403, body: { error: 'invalid_request' } });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  });
});

describe('a client that must push its requests (RFC 9126 §6)', () => {
  const client_id = PUSHING_CLIENT.clientId;

  it('is told so by redirect where it does not, and asks nobody', async () => {
    const { status, headers } = await new Browser(server).get(authorizeUrl({ client_id }));
    const back = new URL(headers['location'] ?? '').searchParams;
    expect([status, back.get('error'), back.get('state')]).toEqual([302, 'invalid_request', 'estado']);
  });

  it('asks by what it pushed', async () => {
    const authorization = basic(client_id, PUSHING_CLIENT.secret);
    const { body } = await postPar(server, authorizeFields({ client_id }), { authorization });
    const page = await consentAt(new Browser(server), addressOf(body['request_uri'] ?? '', { client_id }));
    expect(page.body).toContain('Agente que envia antes');
  });
});
