import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { decodeJwt } from 'jose';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { until } from '#testing';
import { type Received, Receiver } from '../../libs/outbox/src/testing/index.js';
import { Api } from '#agent';
import { BRUNO, PURCHASE, tokensFor } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import { bearer, sendMessage } from '../support/doors.js';
import { AN_INSTANT } from '../support/matchers.js';
import { bodyOf, book, buy, grant, laterTrip, TRIP_PRICE } from '../support/purchase.js';
import { letPass, OTHER_AGENT } from '../support/service.js';
import { Setting } from '../support/setting.js';

interface Subscribed {
  readonly id: string;
  readonly refreshBefore: string;
  readonly cursor: string;
  readonly truncated: boolean;
}
interface Answer {
  readonly result?: Subscribed & { readonly events?: readonly { readonly name: string }[] };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: object };
}
interface Occurrence {
  readonly eventId: string;
  readonly name: string;
  readonly cursor: string;
  readonly data: { readonly id?: string };
}

const SCOPES = [...PURCHASE, 'webhook:manage'] as const;
const DAY = 86_400_000;

const setting = new Setting();
let token: string;
let ana: Api;
const tokenFor = async (more: object = {}): Promise<string> =>
  (await tokensFor(setting.origin, { scopes: SCOPES, ...more })).access_token;
beforeAll(async () => {
  token = await tokenFor();
  ana = new Api(`${setting.origin}/api/v1`, token);
});

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
const opened = async (): Promise<Receiver> => {
  const receiver = await Receiver.open();
  receivers.push(receiver);
  return receiver;
};

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const asked = async (method: string, params: object, by: string | null = token) => {
  const message = { jsonrpc: '2.0', id: 1, method: `events/${method}`, params };
  const response = await sendMessage(setting.origin, message, bearer(by));
  return { status: response.status, headers: response.headers, ...((await response.json()) as Answer) };
};
const wanted = (receiver: Receiver, secret: string, more: object = {}) => ({
  ...{ name: 'mandate.granted', arguments: {}, delivery: { mode: 'webhook', url: receiver.url, secret } },
  ...{ cursor: null, ...more },
});
const subscribed = async (receiver: Receiver, secret: string, more: object = {}, by = token): Promise<Subscribed> => {
  const { result, error } = await asked('subscribe', wanted(receiver, secret, more), by);
  if (!result) throw new Error(`refused: ${JSON.stringify(error)}`);
  return result;
};
const occurrences = (receiver: Receiver): readonly Occurrence[] =>
  receiver.told.map(({ text }) => JSON.parse(text) as Occurrence);
const partyIn = (by: string) => {
  const { sub, client_id } = decodeJwt<{ client_id: string }>(by);
  return { holder: sub ?? '', clientId: client_id };
};
const isGood = (secret: string, { text, headers }: Received): boolean => {
  try {
    return new StandardWebhook(secret).verify(text, headers) !== undefined;
  } catch {
    return false;
  }
};

describe('events/list', () => {
  it('is announced, and has every type with the form of its data, to who may be told of it', async () => {
    const message = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const started = (await (await sendMessage(setting.origin, message)).json()) as object;
    expect(started).toMatchObject({ result: { capabilities: { events: {} } } });
    const modern = async (method: string) => {
      const version = '2026-07-28';
      const meta = { protocolVersion: version, clientInfo: { name: 'x', version: '1' }, clientCapabilities: {} };
      const named = Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]);
      const sent = { jsonrpc: '2.0', id: 1, method, params: { _meta: Object.fromEntries(named) as object } };
      const headers = { 'mcp-protocol-version': version, 'mcp-method': method };
      return (await (await sendMessage(setting.origin, sent, headers)).json()) as Answer;
    };
    expect(await modern('server/discover')).toMatchObject({ result: { capabilities: { events: {} } } });
    expect((await modern('events/list')).result?.events).toHaveLength(18);
    const names = async (by: string | null) => (await asked('list', {}, by)).result?.events?.map(({ name }) => name);
    expect(await names(null)).toHaveLength(18);
    expect(await names(await tokenFor({ scopes: ['receipt:read'] }))).toEqual([
      ...['order.paid', 'order.failed', 'order.cancelled', 'challenge.requested', 'challenge.decided'],
      'flight.cancelled',
    ]);
    expect((await asked('list', {})).result?.events).toContainEqual({
      name: 'mandate.granted',
      description: 'Um mandato entrou em vigor.',
      delivery: ['webhook'],
      inputSchema: expect.objectContaining({ properties: { mandateId: expect.anything() } }),
      payloadSchema: expect.objectContaining({ properties: expect.objectContaining({ status: expect.anything() }) }),
    });
  });
});

describe('a subscription', () => {
  it('is verified, tells of its type alone under its own head, and is the same when it is asked for again', async () => {
    const [receiver, secret] = [await opened(), newSecret()];
    const made = await subscribed(receiver, secret, { name: 'order.paid' });
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^sub_[0-9a-f]{32}$/), refreshBefore: AN_INSTANT },
      ...{ cursor: expect.any(String), truncated: false },
    });
    const mandate = await grant(ana, TRIP_PRICE);
    const order = await buy(ana, await book(ana, laterTrip()), mandate);
    await until(() => receiver.told.length === 1);
    for (const one of receiver.all) {
      expect(one.headers['x-mcp-subscription-id']).toBe(made.id);
      expect(isGood(secret, one)).toBe(true);
    }
    const [told] = receiver.told;
    const page = bodyOf(await ana.get<{ items: { id: string; data: object }[] }>('/events?types=order.paid'), 200);
    const event = page.items.at(-1);
    expect(told && JSON.parse(told.text)).toEqual({
      ...{ eventId: event?.id, name: 'order.paid', timestamp: AN_INSTANT },
      ...{ data: { ...event?.data, url: expect.any(String) }, cursor: expect.any(String) },
    });
    expect(told?.headers['webhook-id']).toBe(event?.id);
    expect(event?.data).toMatchObject({ id: order.id });

    const again = await asked('subscribe', wanted(receiver, secret, { name: 'order.paid' }));
    expect(again.result).toMatchObject({
      ...{ id: made.id, truncated: false },
      deliveryStatus: { active: true },
    });
    expect(receiver.all).toHaveLength(2);
  });

  it('about one mandate is not told of another, and says from where its client may go on', async () => {
    const [receiver, secret] = [await opened(), newSecret()];
    const [{ id: one }, { id: other }] = [await grant(ana, TRIP_PRICE), await grant(ana, TRIP_PRICE)];
    const about = { name: 'mandate.revoked', arguments: { mandateId: one } };
    const { cursor } = await subscribed(receiver, secret, about);
    for (const id of [other, one]) await ana.call('DELETE', `/mandates/${id}`);
    await until(() => receiver.told.length === 1);
    const [told] = occurrences(receiver);
    expect(told).toMatchObject({ name: 'mandate.revoked', data: { id: one } });
    expect(told?.cursor).not.toBe(cursor);
    const later = await opened();
    await subscribed(later, secret, { ...about, cursor: told?.cursor });
    const earlier = await opened();
    await subscribed(earlier, secret, { ...about, cursor });
    await until(() => earlier.told.length === 1);
    expect(occurrences(earlier)[0]?.eventId).toBe(told?.eventId);
    expect(later.told).toEqual([]);
  });

  it('is wanted for any age of events, and says in plain words what cannot be done, nothing of ours', async () => {
    const [receiver, secret] = [await opened(), newSecret()];
    const { cursor } = await subscribed(receiver, secret);
    const old = await subscribed(await opened(), secret, { cursor, maxAgeMs: Number.MAX_SAFE_INTEGER });
    expect(old).toMatchObject({ cursor, truncated: false });
    const foreign = await asked('subscribe', wanted(await opened(), secret, { cursor: 'abc' }));
    expect(foreign.error).toMatchObject({ code: -32_602, message: 'O cursor de paginação é inválido.' });

    const slow = await opened();
    const waiting: (() => void)[] = [];
    slow.verifies = false;
    slow.answer = ({ body: { challenge } }, response) => {
      waiting.push(() => response.end(JSON.stringify({ challenge })));
      return null;
    };
    const names = ['mandate.granted', 'mandate.paused', 'mandate.resumed', 'mandate.revoked'];
    const four = names.map((name) => asked('subscribe', wanted(slow, secret, { name })));
    await until(() => waiting.length === 4);
    const fifth = await asked('subscribe', wanted(slow, secret, { name: 'mandate.expired' }));
    for (const answer of waiting) answer();
    for (const { result } of await Promise.all(four)) expect(result).toBeDefined();
    const data = { limit: 'verifications', max: 4, retryAfterMs: 1_000 };
    expect(fifth.error).toMatchObject({ code: -32_013, data });

    const { stored } = setting.service.dependencies.endpoints;
    const get = stored.get.bind(stored);
    stored.get = () => Promise.reject(new Error('documents.db is locked'));
    const refused = [
      await asked('subscribe', wanted(receiver, secret)),
      await asked('unsubscribe', wanted(receiver, '')),
    ];
    stored.get = get;
    for (const { error } of refused) {
      expect(error).toMatchObject({ code: -32_603, data: { error: 'internal_error' } });
      expect(JSON.stringify(error)).not.toContain('locked');
    }
  });

  it('lets nobody go on beyond what was not taken', async () => {
    const [receiver, secret] = [await opened(), newSecret()];
    const [{ id: first }, { id: second }] = [await grant(ana, TRIP_PRICE), await grant(ana, TRIP_PRICE)];
    receiver.answer = ({ text }) => ((JSON.parse(text) as Occurrence).data.id === first ? 503 : 204);
    const { cursor } = await subscribed(receiver, secret, { name: 'mandate.revoked' });
    await ana.call('DELETE', `/mandates/${first}`);
    await until(() => receiver.told.length === 1);
    await ana.call('DELETE', `/mandates/${second}`);
    const toldOf = (id: string) => occurrences(receiver).find(({ data }) => data.id === id);
    await until(() => toldOf(second) !== undefined);
    expect(toldOf(second)?.cursor).toBe(cursor);
    expect((await subscribed(receiver, secret, { name: 'mandate.revoked' })).cursor).toBe(cursor);
    receiver.answer = () => 204;
    await subscribed(receiver, secret, { name: 'mandate.revoked' });
    await until(async () => (await subscribed(receiver, secret, { name: 'mandate.revoked' })).cursor !== cursor);
  });

  it('signs by both secrets after a new one, ends when it was to, and begins again where its client was', async () => {
    const [receiver, before, after] = [await opened(), newSecret(), newSecret()];
    const { id } = await subscribed(receiver, before, { ttlMs: DAY / 2 });
    const renewed = await subscribed(receiver, after, { ttlMs: 1 });
    expect([renewed.id, receiver.all.length]).toEqual([id, 2]);
    await grant(ana, TRIP_PRICE);
    await until(() => receiver.told.length === 1);
    const [told] = receiver.told;
    for (const secret of [before, after]) expect(told && isGood(secret, told)).toBe(true);
    const { cursor = '' } = occurrences(receiver)[0] ?? {};
    letPass(setting.service, 61_000);
    await grant(ana, TRIP_PRICE);
    const lapsed = await subscribed(receiver, after, { cursor });
    expect(lapsed).toMatchObject({ id, cursor });
    await until(() => receiver.told.length === 2);
    expect((await asked('unsubscribe', wanted(receiver, ''))).result).toBeDefined();
    await grant(ana, TRIP_PRICE);
    const again = await asked('unsubscribe', { name: 'mandate.granted', delivery: { url: receiver.url } });
    expect(again.error).toMatchObject({ code: -32_011, data: { kind: 'subscription' } });
    expect(receiver.told).toHaveLength(2);
  });

  it('is no webhook of its agent, and nothing of another’s', async () => {
    const [receiver, secret] = [await opened(), newSecret()];
    const other = new Api(`${setting.origin}/api/v1`, await tokenFor({ client: OTHER_AGENT }));
    const { id: mandateId } = await grant(other, TRIP_PRICE);
    const theirs = await asked('subscribe', wanted(receiver, secret, { arguments: { mandateId } }));
    expect(theirs.error).toMatchObject({ code: -32_011, data: { kind: 'mandate' } });
    const { id } = await subscribed(receiver, secret);
    expect(bodyOf(await ana.get<{ items: { url: string }[] }>('/webhooks'), 200).items).toEqual([]);
    for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`])
      expect((await ana.get(path)).status).toBe(404);
    const bruno = await tokenFor({ traveller: BRUNO, client: OTHER_AGENT });
    const key = { name: 'mandate.granted', delivery: { url: receiver.url } };
    expect((await asked('unsubscribe', key, bruno)).error).toMatchObject({ code: -32_011 });
    expect((await subscribed(receiver, newSecret(), {}, bruno)).id).not.toBe(id);
    expect((await asked('unsubscribe', key)).error).toBeUndefined();
  });

  it('ends with its agent, which its traveller sees on its page', async () => {
    const by = await tokenFor({ traveller: BRUNO, client: OTHER_AGENT });
    const [receiver, secret] = [await opened(), newSecret()];
    receiver.answer = () => 503;
    await subscribed(receiver, secret, { name: 'agent.revoked' }, by);
    const { browser } = await loggedIn(`${setting.origin}/conta`, BRUNO);
    const page = await browser.open(`/conta/agentes/${OTHER_AGENT.clientId}`);
    expect(page.html).toContain('Onde este agente recebe avisos');
    await browser.submit(await browser.open(`/conta/agentes/${OTHER_AGENT.clientId}/revogar`), {});
    await until(() => receiver.told.length === 1);
    const { endpoints } = setting.service.dependencies;
    const subscriptions = () => endpoints.everyOf(partyIn(by));
    await until(async () => (await subscriptions()).length === 0);
    // Its traveller lets it in again while what waited of the last grant has not arrived.
    await subscribed(
      receiver,
      secret,
      { name: 'agent.revoked' },
      await tokenFor({ traveller: BRUNO, client: OTHER_AGENT }),
    );
    receiver.answer = () => 204;
    letPass(setting.service, 3_000);
    await until(() => receiver.told.length === 2);
    const [first, again] = occurrences(receiver);
    expect(again?.eventId).toBe(first?.eventId);
    expect(await subscriptions()).toHaveLength(1);
  });
});

describe('a subscription is refused', () => {
  const whole = (more: object) => ({
    ...{ name: 'mandate.granted', delivery: { mode: 'webhook', url: 'https://agente.example/', secret: newSecret() } },
    ...more,
  });
  it.each([
    ['an event that there is not', whole({ name: 'order.lost' }), -32_011, { kind: 'event' }],
    [
      'another way than webhooks',
      whole({ delivery: { mode: 'push', url: 'https://a.example/', secret: newSecret() } }),
      -32_014,
      { feature: 'deliveryMode', value: 'push' },
    ],
    ['no secret', whole({ delivery: { mode: 'webhook', url: 'https://a.example/' } }), -32_602, undefined],
    [
      'a short secret',
      whole({ delivery: { mode: 'webhook', url: 'https://a.example/', secret: 'whsec_AAAA' } }),
      -32_602,
      undefined,
    ],
    [
      'http to anywhere',
      whole({ delivery: { mode: 'webhook', url: 'http://a.example/', secret: newSecret() } }),
      -32_602,
      undefined,
    ],
    ['an argument that there is not', whole({ arguments: { flight: 'AL4011' } }), -32_602, undefined],
    [
      'a mandate where none is meant',
      whole({ name: 'agent.revoked', arguments: { mandateId: 'x' } }),
      -32_602,
      undefined,
    ],
    ['no mandate’s id', whole({ arguments: { mandateId: 7 } }), -32_602, undefined],
    [
      'a mandate that it has not',
      whole({ arguments: { mandateId: '00000000-0000-4000-8000-000000000000' } }),
      -32_011,
      { kind: 'mandate' },
    ],
    ['no cursor of ours', whole({ cursor: 'abc' }), -32_602, undefined],
    [
      'an address of an inside network',
      whole({ delivery: { mode: 'webhook', url: 'https://169.254.169.254/', secret: newSecret() } }),
      -32_015,
      { reason: 'connection_refused' },
    ],
    [
      'a name that is not',
      whole({ delivery: { mode: 'webhook', url: 'https://agente.invalid/', secret: newSecret() } }),
      -32_015,
      { reason: 'connection_refused' },
    ],
  ])('with %s', async (_, params, code, data) => {
    const { status, error } = await asked('subscribe', params);
    expect([status, error]).toEqual([200, expect.objectContaining({ code, ...(data && { data }) })]);
  });

  it('where the challenge is not repeated, beyond fifty, and where its operator has stopped it', async () => {
    const [receiver, secret] = [await opened(), newSecret()];
    receiver.verifies = false;
    const by = await tokenFor({ client: OTHER_AGENT });
    const refused = await asked('subscribe', wanted(receiver, secret), by);
    expect(refused.error).toMatchObject({ code: -32_015, data: { reason: 'challenge_failed' } });
    receiver.verifies = true;
    const { id } = await subscribed(receiver, secret, {}, by);
    const { endpoints, clock } = setting.service.dependencies;
    const stop = () =>
      endpoints.stored.update(id, (body) => body && { ...body, disabled: 'operator', changedAt: clock.now() });
    receiver.verifies = false;
    receiver.answer = ({ body: { challenge } }, response) => {
      void stop().then(() => response.end(JSON.stringify({ challenge })));
      return null;
    };
    expect((await asked('subscribe', wanted(receiver, newSecret()), by)).error).toMatchObject({ code: -32_012 });
    expect((await asked('unsubscribe', wanted(receiver, ''), by)).error).toBeUndefined();
    expect((await asked('subscribe', wanted(receiver, secret), by)).error).toMatchObject({ code: -32_012 });
    const [{ body } = { body: null }] = await endpoints.everyOf(partyIn(by));
    if (!body) throw new Error('a subscription was made');
    for (let n = 1; n < 50; n += 1) await endpoints.add(`sub_${n}`, body, clock.now());
    const full = await asked('subscribe', wanted(receiver, secret, { name: 'order.paid' }), by);
    expect(full.error).toMatchObject({ code: -32_013, data: { limit: 'subscriptions', max: 50 } });
  });

  it('to who has no token, or none that is good for it: by the status of HTTP, with the scopes', async () => {
    const receiver = await opened();
    const refusedBy = async (by: string | null) => {
      const { status, headers } = await asked('subscribe', wanted(receiver, newSecret()), by);
      return [status, /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1]];
    };
    expect(await refusedBy(null)).toEqual([
      401,
      'booking:write order:write mandate:create payment:execute receipt:read webhook:manage',
    ]);
    const reader = await tokenFor({ scopes: ['receipt:read', 'webhook:manage'] });
    expect(await refusedBy(reader)).toEqual([403, 'mandate:create receipt:read webhook:manage']);
    expect(await refusedBy(await tokenFor({ scopes: ['mandate:create'] }))).toEqual([
      403,
      'mandate:create webhook:manage',
    ]);
    expect(receiver.all).toEqual([]);
  });
});

describe('the example of an agent that is told (examples/watch-mandate.js)', () => {
  it('says what becomes of a mandate and its orders, and subscribes to nothing any more once it is ended', async () => {
    const mandate = await grant(ana, TRIP_PRICE);
    const child = spawn(process.execPath, ['examples/watch-mandate.js', mandate.id, setting.origin], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TOKEN: token },
    });
    const ended = once(child, 'close');
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until(() => said.includes('Watching'));
    await grant(ana, TRIP_PRICE);
    const order = await buy(ana, await book(ana, laterTrip()), mandate);
    await ana.call('DELETE', `/mandates/${mandate.id}`);
    await until(() => said.split('\n').length === 6);
    expect(
      said
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(' ').slice(1).join(' '))
        .toSorted(),
    ).toEqual([
      ...['exhausted', 'nearly_exhausted', 'revoked'].map(
        (what) => `mandate.${what} ${mandate.id} ${what === 'revoked' ? 'revoked' : 'exhausted'}`,
      ),
      `order.paid ${order.id} paid`,
    ]);
    child.kill('SIGINT');
    await ended;
    const about = ({ body }: { body: { subscription?: { mandateId?: string | undefined } | undefined } }) =>
      body.subscription?.mandateId === mandate.id;
    expect((await setting.service.dependencies.endpoints.everyOf(partyIn(token))).filter(about)).toEqual([]);
  });
});
