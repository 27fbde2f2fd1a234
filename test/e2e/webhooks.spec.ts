import { createPublicKey, verify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type Received, Receiver } from '../../libs/outbox/src/testing/index.js';
import { until } from '#testing';
import type { Api } from '#agent';
import { agentAt, ANA, BRUNO, PURCHASE } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import { AN_ID, AN_INSTANT, anError } from '../support/matchers.js';
import { bodyOf, book, buy, grant, laterTrip, TRIP_PRICE } from '../support/purchase.js';
import { letPass, OTHER_AGENT } from '../support/service.js';
import { Setting } from '../support/setting.js';

interface Created {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly secret: string;
  readonly publicKey: string;
}
interface Listed<Item> {
  readonly items: readonly Item[];
}
interface Delivery {
  readonly eventId: string;
  readonly status: string;
  readonly responseStatus: number | null;
}

const SCOPES = [...PURCHASE, 'webhook:manage'] as const;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const setting = new Setting();
let ana: Api;
beforeAll(async () => {
  ana = await agentAt(setting.origin, { scopes: SCOPES });
});

const made: { readonly by: () => Api; readonly id: string; readonly receiver: Receiver }[] = [];
afterEach(async () => {
  for (const { by, id, receiver } of made.splice(0)) {
    await by().call('DELETE', `/webhooks/${id}`);
    await receiver.close();
  }
});

const created = async (more: object = {}, by = () => ana) => {
  const receiver = await Receiver.open();
  const webhook = bodyOf(await by().post<Created>('/webhooks', { url: receiver.url, ...more }), 201);
  made.push({ by, id: webhook.id, receiver });
  return { receiver, webhook, path: `/webhooks/${webhook.id}` };
};

/** Whether a library of others accepts a message with this secret. */
const isGood = (secret: string, { text, headers }: Received): boolean => {
  try {
    return new StandardWebhook(secret).verify(text, headers) !== undefined;
  } catch {
    return false;
  }
};

/** The same by a public key, of which that library knows nothing (Standard Webhooks, Signature scheme). */
const isGoodFor = (publicKey: string, { text, headers }: Received): boolean => {
  const key = createPublicKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url'),
    },
    format: 'jwk',
  });
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .some((one) => one.startsWith('v1a,') && verify(null, content, key, Buffer.from(one.slice(4), 'base64')));
};

describe('a webhook', () => {
  it('is verified before it is there, tells a purchase to who has its secret, and shows what it sent', async () => {
    const { receiver, webhook, path } = await created({ description: 'Produção' });
    expect(webhook).toMatchObject({
      ...{ id: AN_ID, url: receiver.url, status: 'active', description: 'Produção', signature: 'hmac-sha256' },
      ...{ failingSince: null, publicKeys: [], createdAt: AN_INSTANT, secret: expect.stringMatching(/^whsec_.{44}$/) },
    });
    const [verification] = receiver.all;
    expect(verification?.body).toEqual({ type: 'verification', challenge: expect.any(String) });
    expect(verification && isGood(webhook.secret, verification)).toBe(true);

    const mandate = await grant(ana, TRIP_PRICE);
    const order = await buy(ana, await book(ana, laterTrip()), mandate);
    await until(() => receiver.told.length === 4);
    const paid = receiver.told.find(({ body: { type } }) => type === 'order.paid');
    expect(receiver.told.map(({ body: { type } }) => type).toSorted()).toEqual([
      ...['mandate.exhausted', 'mandate.granted', 'mandate.nearly_exhausted', 'order.paid'],
    ]);
    expect(paid?.body).toMatchObject({ data: { id: order.id, status: 'paid' } });
    for (const one of receiver.told) {
      expect(one.headers['webhook-id']).toBe(one.body.id);
      expect(isGood(webhook.secret, one)).toBe(true);
      expect(isGood(`whsec_${Buffer.alloc(32).toString('base64')}`, one)).toBe(false);
    }

    const { secret: _, ...shown } = webhook;
    expect(bodyOf(await ana.get(path), 200)).toEqual(shown);
    expect(bodyOf(await ana.get<Listed<Created>>('/webhooks'), 200).items).toContainEqual(shown);
    const listed = async () => bodyOf(await ana.get<Listed<Delivery>>(`${path}/deliveries`), 200).items;
    await until(async () => (await listed()).length === 4);
    expect(await listed()).toContainEqual({
      ...{ eventId: paid?.body.id, type: 'order.paid', status: 'delivered', attempts: 1, responseStatus: 204 },
      ...{ attemptedAt: AN_INSTANT, nextAt: null },
    });

    const again = await ana.post<Delivery>(`${path}/deliveries/${paid?.body.id}/resend`);
    expect(again).toMatchObject({ status: 200, body: { eventId: paid?.body.id, status: 'pending' } });
    await until(() => receiver.told.length === 5);
    expect(receiver.told[4]?.text).toBe(paid?.text);
    const first = receiver.told[0]?.body.cursor;
    expect((await ana.post(`${path}/replay`, { after: first })).status).toBe(200);
    await until(() => receiver.told.length === 8);
    expect(await ana.post(`${path}/replay`, { after: 'abc' })).toMatchObject(anError(422, 'invalid_cursor'));
    expect(await ana.post(`${path}/deliveries/evt_0/resend`)).toMatchObject(anError(404, 'webhook_not_found'));
  });

  it('signs by the secret of before beside a new one, for a day', async () => {
    const { receiver, webhook, path } = await created();
    const { secret } = bodyOf(await ana.post<Created>(`${path}/rotate-secret`), 200);
    expect(secret).not.toBe(webhook.secret);
    expect(await ana.post(`${path}/test`)).toMatchObject({ body: { delivered: true, responseStatus: 204 } });
    const test = receiver.all.at(-1);
    expect(test?.body).toMatchObject({ type: 'test', data: {} });
    for (const one of [secret, webhook.secret]) expect(test && isGood(one, test)).toBe(true);
    const signatures = () => receiver.all.at(-1)?.headers['webhook-signature']?.split(' ').length;
    expect(signatures()).toBe(2);
    letPass(setting.service, 86_400_000);
    ana = await agentAt(setting.origin, { scopes: SCOPES });
    await ana.post(`${path}/test`);
    expect(signatures()).toBe(1);
  });

  it('signs by Ed25519 where that is asked for, with two keys after a rotation', async () => {
    const { receiver, webhook, path } = await created({ signature: 'ed25519' });
    expect(webhook).toMatchObject({ publicKey: expect.stringMatching(/^whpk_/), publicKeys: [webhook.publicKey] });
    expect(webhook).not.toHaveProperty('secret');
    const { publicKey } = bodyOf(await ana.post<Created>(`${path}/rotate-secret`), 200);
    await ana.post(`${path}/test`);
    const [verification, test] = receiver.all;
    expect(verification && isGoodFor(webhook.publicKey, verification)).toBe(true);
    for (const one of [webhook.publicKey, publicKey]) expect(test && isGoodFor(one, test)).toBe(true);
    expect(verification && isGoodFor(publicKey, verification)).toBe(false);
  });

  it('is stopped and resumed by its agent, with what it missed, at an address that is verified again', async () => {
    const { receiver, path } = await created({ types: ['mandate.granted'] });
    expect(await ana.call('PATCH', path, { enabled: false })).toMatchObject({
      body: { status: 'disabled', disabledReason: 'agent' },
    });
    await grant(ana, TRIP_PRICE);
    const other = await Receiver.open();
    other.verifies = false;
    expect(await ana.call('PATCH', path, { url: other.url, enabled: true })).toMatchObject(
      anError(422, 'invalid_webhook'),
    );
    expect(receiver.told).toEqual([]);
    other.verifies = true;
    expect(await ana.call('PATCH', path, { url: other.url, enabled: true })).toMatchObject({
      body: { status: 'active' },
    });
    await until(() => other.told.length === 1);
    await other.close();
  });

  it('that the operator has stopped is not resumed by its agent', async () => {
    const { webhook, path } = await created();
    const { endpoints, clock } = setting.service.dependencies;
    const stop = { disabled: 'operator' } as const;
    await endpoints.stored.update(webhook.id, (body) => body && { ...body, ...stop, changedAt: clock.now() });
    expect(await ana.call('PATCH', path, { enabled: true })).toMatchObject(anError(422, 'invalid_webhook'));
    const off = await ana.call('PATCH', path, { enabled: false });
    expect(off).toMatchObject({ body: { status: 'disabled', disabledReason: 'operator' } });
  });

  it('that does not take what it is sent says so to its agent, and to its traveller', async () => {
    const { receiver, path } = await created({ types: ['mandate.granted'] });
    receiver.answer = () => 410;
    await grant(ana, TRIP_PRICE);
    await until(async () => bodyOf(await ana.get<{ status: string }>(path), 200).status === 'disabled');
    expect(await ana.get(path)).toMatchObject({ body: { disabledReason: 'gone', failingSince: AN_INSTANT } });
    const { browser } = await loggedIn(`${setting.origin}/conta`, ANA);
    const page = await browser.open('/conta/agentes/alcada-pilot');
    expect(page.html).toContain('Onde este agente recebe avisos');
    expect(page.html).toContain('O endereço respondeu que não existe mais, e nada mais é enviado.');
  });

  it('ends with its agent, which is told so, and is no longer there for the same agent let in again', async () => {
    const bruno = await agentAt(setting.origin, { traveller: BRUNO, client: OTHER_AGENT, scopes: SCOPES });
    const { receiver, path } = await created({ types: ['agent.revoked', 'mandate.revoked'] }, () => bruno);
    await grant(bruno, 100);
    const { browser } = await loggedIn(`${setting.origin}/conta`, BRUNO);
    const end = await browser.open(`/conta/agentes/${OTHER_AGENT.clientId}/revogar`);
    await browser.submit(end, {});
    await until(() => receiver.told.some(({ body: { type } }) => type === 'agent.revoked'));
    const again = await agentAt(setting.origin, { traveller: BRUNO, client: OTHER_AGENT, scopes: SCOPES });
    await until(async () => (await again.get(path)).status === 404);
    expect(bodyOf(await again.get<Listed<Created>>('/webhooks'), 200).items).toEqual([]);
  });
});

describe('a webhook is refused', () => {
  it.each([
    ['an address of an inside network', { url: 'https://169.254.169.254/latest' }],
    ['a name of this machine under TLS that it has not', { url: 'https://localhost:1/' }],
    ['http to anywhere else', { url: 'http://192.168.0.1/' }],
    ['another scheme', { url: 'ftp://example.com/' }],
    ['no address', { url: 'avisos' }],
    ['none', {}],
    ['a type that there is not', { url: 'https://agente.example/', types: ['order.lost'] }],
    ['no types', { url: 'https://agente.example/', types: [] }],
    ['another signature', { url: 'https://agente.example/', signature: 'rsa' }],
    ['a description of two lines', { url: 'https://agente.example/', description: 'a\nb' }],
  ])('with %s', async (_, body) => {
    expect(await ana.post('/webhooks', body)).toMatchObject(anError(422, 'invalid_webhook'));
  });

  it('whose address answers the verification with anything else, or with words without an end', async () => {
    const receiver = await Receiver.open();
    receiver.verifies = false;
    const block = Buffer.alloc(65_536, 'a');
    const answers: readonly Receiver['answer'][] = [
      () => 204,
      (_, response) => (response.writeHead(200, { 'content-type': 'application/json' }).end('{"challenge":"x"}'), null),
      ({ text }, response) => (response.writeHead(500).end(text), null),
      (_, response) => (response.writeHead(302, { location: receiver.url }).end(), null),
      (_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', write);
        write();
        return null;
      },
    ];
    for (const answer of answers) {
      receiver.answer = answer;
      const refused = await ana.post('/webhooks', { url: receiver.url });
      expect(refused).toMatchObject(anError(422, 'invalid_webhook', { details: [{ field: 'url' }] }));
    }
    expect(receiver.all).toHaveLength(answers.length);
    await receiver.close();
  });

  it('beyond ten of an agent, and then asks no address', async () => {
    for (let n = 0; n < 10; n += 1) await created();
    const receiver = await Receiver.open();
    expect(await ana.post('/webhooks', { url: receiver.url })).toMatchObject(
      anError(429, 'rate_limited', { details: { limit: 10 } }),
    );
    expect(receiver.all).toEqual([]);
    await receiver.close();
  });

  it('to a token without its scope, and of types that the token is not good for', async () => {
    const { receiver } = await created();
    const body = { url: receiver.url };
    const refusedBy = async (scopes: readonly string[], more: object = {}) => {
      const answer = await (await agentAt(setting.origin, { scopes })).post('/webhooks', { ...body, ...more });
      expect(answer).toMatchObject(anError(403, 'insufficient_scope'));
      return /scope="([^"]*)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1];
    };
    expect(await refusedBy(PURCHASE)).toBe('webhook:manage');
    expect(await refusedBy(['webhook:manage'])).toBe('mandate:create receipt:read webhook:manage');
    expect(await refusedBy(['webhook:manage', 'receipt:read'], { types: ['mandate.granted'] })).toBe(
      'mandate:create receipt:read webhook:manage',
    );
    const reader = await agentAt(setting.origin, { scopes: ['webhook:manage', 'receipt:read'] });
    expect((await created({}, () => reader)).webhook.types).not.toContain('mandate.granted');
    expect(await setting.anyone.get('/webhooks')).toMatchObject(anError(401, 'token_missing'));
  });

  it('to all but its agent: another’s is like one that there is not', async () => {
    const { path } = await created();
    const others = [
      await agentAt(setting.origin, { traveller: BRUNO, scopes: SCOPES }),
      await agentAt(setting.origin, { client: OTHER_AGENT, scopes: SCOPES }),
    ];
    for (const other of others)
      for (const call of [
        ...[() => other.get(path), () => other.get(`${path}/deliveries`), () => other.call('DELETE', path)],
        ...[() => other.call('PATCH', path, { enabled: false }), () => other.post(`${path}/rotate-secret`)],
        ...[() => other.post(`${path}/test`), () => other.post(`${path}/replay`, { after: '' })],
        () => other.post(`${path}/deliveries/evt_1/resend`),
      ])
        expect(await call()).toMatchObject(anError(404, 'webhook_not_found'));
    for (const id of [NOBODY, 'x']) expect(await ana.get(`/webhooks/${id}`)).toMatchObject({ status: 404 });
    expect(await ana.get(path)).toMatchObject({ body: { status: 'active' } });
  });

  it('as a scope of a mandate', async () => {
    const limit = { amount: 100, currency: 'BRL' };
    const asked = { limit, scope: ['order:write', 'payment:execute', 'webhook:manage'] };
    expect(await ana.post('/mandates', asked)).toMatchObject(anError(422, 'invalid_mandate_scope'));
  });
});
