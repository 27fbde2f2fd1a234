import { createHash, createPublicKey, verify } from 'node:crypto';
import { Body, Controller, Get, Module, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { AccessTokens, baseUrlsAt, createHttpAdapter, ErrorFilter, GUARDS, Public } from '#http';
import { type Caller, Clock, DomainError } from '#kernel';
import { Clients, MessageKeys, type OAuthSettings } from '#oauth';
import { GuardedDocuments, INTERNET, KeyDirectories, WebBotAuth } from '#remote';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { OF_PLATFORMS, Platforms } from '../platform/platforms.js';
import { agentOf } from '../ids.js';
import { UcpRequests } from '../platform/ucp-requests.js';
import { UcpError, UcpErrors } from '../ucp-error.js';
import { UcpSettings } from '../ucp-settings.js';
import { type Signing, SigningPlatform } from '../testing/index.js';
import { CHECKOUT, ORDER } from '../versions.js';
import { MessageSigner, SignedAnswer } from './message-signer.js';

@Public()
@UcpErrors()
@Controller('ucp/v1/things')
class ThingsController {
  constructor(private readonly requests: UcpRequests) {}

  @Get()
  async get(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return { proof: (await this.requests.of(request, reply, ORDER)).proof };
  }

  @Post()
  @UseInterceptors(SignedAnswer)
  async post(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply, @Body() body: unknown) {
    return { proof: (await this.requests.of(request, reply, CHECKOUT)).proof, body };
  }

  @Post('own')
  async own(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { caller } = await this.requests.of(request, reply, ORDER);
    throw caller
      ? new UcpError(403, 'insufficient_scope', 'Falta um escopo.', {
          challenge: 'error="insufficient_scope", scope="a b"',
        })
      : new DomainError('token_missing');
  }
}

/** Tokens are the addresses of their clients. */
class AddressTokens extends AccessTokens {
  override callerOf({ headers }: FastifyRequest): Promise<Caller> {
    const [, clientId = ''] = headers.authorization?.split(' ') ?? [];
    if (!clientId.startsWith('http')) return Promise.reject(new DomainError('invalid_token'));
    return Promise.resolve({
      holder: 'ana',
      clientId: agentOf({ profile: clientId }),
      scopes: ['receipt:read'],
      grantId: 'g',
    });
  }
  override isInForce = () => Promise.resolve(true);
}

const started = async () => {
  const { documents, clock } = openTestDocuments();
  const keys = new MessageKeys(documents, clock, { keyEncryptionKeys: [] } as unknown as OAuthSettings);
  await keys.start();
  const remote = new GuardedDocuments(clock, { network: INTERNET, allowsLoopback: true }, OF_PLATFORMS);
  @Module({
    controllers: [ThingsController],
    providers: [
      UcpRequests,
      MessageSigner,
      { provide: Clock, useValue: clock },
      { provide: MessageKeys, useValue: keys },
      { provide: Platforms, useValue: new Platforms(remote, new Map(), true) },
      { provide: UcpSettings, useValue: { namespace: null, traveller: null } },
      { provide: Clients, useValue: new Clients(documents) },
      { provide: AccessTokens, useClass: AddressTokens },
      ...GUARDS,
      { provide: APP_FILTER, useClass: ErrorFilter },
    ],
  })
  class Things {}
  const adapter = createHttpAdapter({
    addresses: { urls: baseUrlsAt('https://voos.example'), followLoopback: true },
    logger: pino({ level: 'silent' }),
    signatures: new WebBotAuth(new KeyDirectories(remote), clock),
  });
  const app = await NestFactory.create<NestFastifyApplication>(Things, adapter, { logger: false, bodyParser: false });
  await app.listen(0, '127.0.0.1');
  return { app, clock, keys, signer: app.get(MessageSigner), url: `${await app.getUrl()}/ucp/v1/things` };
};

let service: Awaited<ReturnType<typeof started>>;
let platform: SigningPlatform;
beforeEach(async () => {
  service = await started();
  platform = await SigningPlatform.open();
});
afterEach(async () => {
  await platform.close();
  await service.app.close();
});

const KEY = { idempotencyKey: '550e8400-e29b-41d4-a716-446655440000' };
const BODY = JSON.stringify({ line_items: [{ quantity: 1 }] });

const sent = async (method: string, url: string, headers: Readonly<Record<string, string>>, body: string | null) => {
  const response = await fetch(url, { method, headers, ...(body !== null && { body }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, answer: JSON.parse(text) as unknown };
};
const posted = async (signing: Signing = {}, more: Readonly<Record<string, string>> = {}, body = BODY) =>
  sent('POST', service.url, { ...platform.headers('POST', service.url, BODY, { ...KEY, ...signing }), ...more }, body);

const refused = (status: number, code: string) => ({
  status,
  answer: { code, content: expect.any(String) as unknown, messages: [{ type: 'error', code }] },
});
const ALL = ['@method', '@authority', '@path', 'ucp-agent', 'idempotency-key', 'content-digest', 'content-type'];

describe('a request that a platform signs', () => {
  it.each(['P-256', 'P-384'] as const)('proves who it is, by a key of %s', async (curve) => {
    await platform.close();
    platform = await SigningPlatform.open(curve);
    const { url } = service;
    expect(await posted()).toMatchObject({
      status: 201,
      answer: { proof: 'signature', body: JSON.parse(BODY) as unknown },
    });
    expect(await posted({ parameters: `;created=${Date.parse(service.clock.now()) / 1_000};alg="x"` })).toMatchObject(
      refused(400, 'algorithm_unsupported'),
    );
    const reads = [url, `${url}?a=1&b=%20`];
    for (const one of reads)
      expect(await sent('GET', one, platform.headers('GET', one), null)).toMatchObject({
        status: 200,
        answer: { proof: 'signature' },
      });
    expect(platform.asked).toBe(1);
  });

  it.each(ALL)('is refused where its signature does not cover %s', async (name) => {
    const components = ALL.filter((one) => one !== name);
    expect(await posted({ components })).toMatchObject(refused(401, 'signature_invalid'));
  });

  it('is refused where it does not cover its query, is for another host, or has more said after it was signed', async () => {
    const { url } = service;
    const asked = `${url}?limit=1`;
    expect(await sent('GET', asked, platform.headers('GET', url), null)).toMatchObject(
      refused(401, 'signature_invalid'),
    );
    expect(await posted({ authority: 'outro.example' })).toMatchObject(refused(401, 'signature_invalid'));
    const get = platform.headers('GET', url);
    expect(await sent('POST', url, { ...get, 'content-type': 'application/json' }, BODY)).toMatchObject(
      refused(401, 'signature_missing'),
    );
    expect(await sent('GET', url, { ...get, 'idempotency-key': 'b' }, null)).toMatchObject(
      refused(401, 'signature_invalid'),
    );
    expect(await posted({}, { 'idempotency-key': 'another' })).toMatchObject(refused(401, 'signature_invalid'));
  });

  it('is refused with another body, whatever digest that has', async () => {
    const other = BODY.replace('1', '9');
    expect(await posted({}, {}, other)).toMatchObject(refused(400, 'digest_mismatch'));
    const digest = `sha-256=:${createHash('sha256').update(other).digest('base64')}:`;
    expect(await posted({}, { 'content-digest': digest }, other)).toMatchObject(refused(401, 'signature_invalid'));
    const weak = `sha-512=:${createHash('sha512').update(BODY).digest('base64')}:`;
    expect(await posted({ digest: weak })).toMatchObject(refused(400, 'digest_mismatch'));
    expect(await posted({}, {}, `${BODY} `)).toMatchObject(refused(400, 'digest_mismatch'));
  });

  it('is refused with half of a signature, several, or one that is none', async () => {
    const { 'signature-input': input = '', signature = '', ...rest } = platform.headers('POST', service.url, BODY, KEY);
    const post = (headers: Readonly<Record<string, string>>) =>
      sent('POST', service.url, { ...rest, ...headers }, BODY);
    expect(await post({ signature })).toMatchObject(refused(401, 'signature_missing'));
    expect((await post({ 'signature-input': input })).status).toBe(401);
    for (const headers of [
      { 'signature-input': input, signature: signature.replace('sig1', 'sig2') },
      { 'signature-input': input, signature: 'sig1=:AAAA:' },
      { 'signature-input': input, signature: `${signature.slice(0, -2)}A:` },
      {
        'signature-input': `${input}, ${input.replace('sig1', 'sig2')}`,
        signature: `${signature}, ${signature.replace('sig1', 'sig2')}`,
      },
      { 'signature-input': input.replace(';keyid', ';k'), signature },
      { 'signature-input': 'sig1=1', signature },
    ])
      expect((await post(headers)).status).toBe(401);
  });

  it('is refused before its time and after it', async () => {
    const now = Date.parse(service.clock.now()) / 1_000;
    for (const parameters of [`;expires=${now}`, `;created=${now + 61}`, ';expires="never"'])
      expect(await posted({ parameters })).toMatchObject(refused(401, 'signature_invalid'));
    expect((await posted({ parameters: `;created=${now};expires=${now + 1}` })).status).toBe(201);
  });

  it('is of a key of the profile: a new one is looked for once a minute, and an old one is gone within ten', async () => {
    expect((await posted()).status).toBe(201);
    const old = platform.headers('POST', service.url, BODY, KEY);
    platform.takeKey('key-2');
    expect(await posted()).toMatchObject(refused(401, 'key_not_found'));
    expect(await posted({ keyid: 'key-1' })).toMatchObject(refused(401, 'signature_invalid'));
    expect(platform.asked).toBe(1);
    service.clock.advance(60_001);
    expect((await posted()).status).toBe(201);
    expect(platform.asked).toBe(2);
    expect(await sent('POST', service.url, old, BODY)).toMatchObject(refused(401, 'key_not_found'));
    platform.takeKey('key-2');
    expect(await posted()).toMatchObject(refused(401, 'signature_invalid'));
    service.clock.advance(600_001);
    expect((await posted()).status).toBe(201);
  });
});

describe('a request without a signature', () => {
  it('proves nothing, and is refused in the form of the protocol', async () => {
    const headers = { 'ucp-agent': `profile="${platform.profileUrl}"`, 'content-type': 'application/json' };
    expect(await sent('GET', service.url, headers, null)).toMatchObject({ status: 200, answer: { proof: null } });
    const broken = await sent('POST', service.url, headers, '{');
    expect(broken).toMatchObject(refused(400, 'invalid_request'));
  });

  it('is told which token it needs, and for what', async () => {
    const { origin } = new URL(service.url);
    const own = `${service.url}/own`;
    const headers = { 'ucp-agent': `profile="${platform.profileUrl}"` };
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/api/v1"`;
    const asked = async (more: Readonly<Record<string, string>>) => sent('POST', own, { ...headers, ...more }, null);
    const [none, bad, narrow, foreign] = [
      await asked({}),
      await asked({ authorization: 'Bearer x' }),
      await asked({ authorization: `Bearer ${platform.profileUrl}` }),
      await asked({ authorization: 'Bearer https://outro.example/profile.json' }),
    ];
    expect(none).toMatchObject(refused(401, 'identity_required'));
    expect(none.headers.get('www-authenticate')).toBe(`Bearer realm="${origin}", ${metadata}`);
    expect(bad).toMatchObject(refused(401, 'identity_required'));
    expect(bad.headers.get('www-authenticate')).toBe(`Bearer realm="${origin}", error="invalid_token", ${metadata}`);
    expect(narrow).toMatchObject(refused(403, 'insufficient_scope'));
    expect(narrow.headers.get('www-authenticate')).toBe(
      `Bearer realm="${origin}", error="insufficient_scope", scope="a b", ${metadata}`,
    );
    expect(foreign).toMatchObject(refused(403, 'forbidden'));
  });
});

/** Whether a signature is right, put together from what was sent alone. */
const isRight = async (values: Readonly<Record<string, string | null>>): Promise<boolean> => {
  const [, input = '', names = '', kid = ''] =
    /^sig1=(\(([^)]*)\);created=\d+;keyid="([^"]+)")$/.exec(values['signature-input'] ?? '') ?? [];
  const lines = names.split(' ').map((name) => `${name}: ${values[name.replaceAll('"', '')] ?? ''}`);
  const base = [...lines, `"@signature-params": ${input}`].join('\n');
  const published = (await service.keys.all()).find(({ jwk }) => jwk.kid === kid);
  if (!published) throw new Error('the key is not published');
  const key = createPublicKey({ key: { ...published.jwk }, format: 'jwk' });
  const bytes = Buffer.from((values['signature'] ?? '').slice('sig1=:'.length, -1), 'base64');
  return bytes.length === 64 && verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, bytes);
};
const digestOf = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

describe('what we sign', () => {
  it('is an answer, with its status and its very bytes', async () => {
    const { status, headers, text } = await posted();
    const values = Object.fromEntries(headers);
    expect(values['content-digest']).toBe(digestOf(text));
    expect(values['signature-input']).toMatch(/^sig1=\("@status" "content-type" "content-digest"\);/);
    expect(await isRight({ ...values, '@status': String(status) })).toBe(true);
    expect(await isRight({ ...values, '@status': '200' })).toBe(false);
  });

  it('is a message to a platform, with where it goes and its number', async () => {
    const more = {
      'ucp-agent': 'profile="https://voos.example/.well-known/ucp"',
      'webhook-id': '1',
      'webhook-timestamp': '2',
    };
    const headers = await service.signer.ofPost('https://agent.example/orders?channel=a', BODY, more);
    expect(headers['content-digest']).toBe(digestOf(BODY));
    const derived = { '@method': 'POST', '@authority': 'agent.example', '@path': '/orders', '@query': '?channel=a' };
    expect(await isRight({ ...headers, ...derived })).toBe(true);
    expect(await isRight({ ...headers, ...derived, '@path': '/' })).toBe(false);
    for (const name of [...Object.keys(derived), ...Object.keys(more), 'content-digest', 'content-type'])
      expect(headers['signature-input']).toContain(`"${name}"`);
  });
});
