import { randomUUID } from 'node:crypto';
import { type Flight, flightAsItIs } from '#catalog';
import { newCause, SYSTEM } from '#kernel';
import { cancelFlight } from '#order';
import { checkoutsOf } from '#runtime';
import { until } from '#testing';
import { SigningPlatform } from '../../libs/ucp/src/testing/index.js';
import { type Received, Receiver } from '../../libs/outbox/src/testing/index.js';
import { SmallSetting } from '../support/setting.js';
import { coveredIn } from '../support/signed-message.js';
import { ACCEPTED, type Checkout, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting();
const anyone = new PlatformAgent(() => setting.origin);

let platform: SigningPlatform;
let receiver: Receiver;
beforeAll(async () => {
  [platform, receiver] = [await SigningPlatform.open(), await Receiver.open()];
  platform.tellAt(`${receiver.url}?channel=a`);
});
afterAll(() => Promise.all([platform.close(), receiver.close()]));

const ask = async (method: string, path: string, body: object | null = null) => {
  const url = `${setting.origin}/ucp/v1${path}`;
  const text = body && JSON.stringify(body);
  const headers = platform.headers(method, url, text, body ? { idempotencyKey: randomUUID() } : {});
  return (await (await fetch(url, { method, headers, body: text })).json()) as Checkout;
};

const bought = async (item: string): Promise<string> => {
  const { id } = await ask('POST', '/checkout-sessions', { line_items: [{ item: { id: item }, quantity: 1 }] });
  return (await ask('POST', `/checkout-sessions/${id}/complete`, ACCEPTED)).order?.id ?? '';
};

interface Told {
  readonly id: string;
  readonly adjustments?: readonly { readonly type: string }[];
  readonly fulfillment: { readonly events: readonly { readonly type: string }[] };
}
/** Who sends knows no port that was chosen at the start. */
const atOrigin = (text: string): string => text.replaceAll('http://127.0.0.1:0/', `${setting.origin}/`);
const orderIn = ({ text }: Received): Told => JSON.parse(atOrigin(text)) as Told;
const toldOf = (orderId: string) => receiver.told.filter((one) => orderIn(one).id === orderId);

/** What the signature of a message covers, where a key of the profile that it names made it. */
const coveredOf = (message: Received) => {
  const profile = /^profile="([^"]+)"$/.exec(message.headers['ucp-agent'] ?? '')?.[1] ?? '';
  const { host, pathname } = new URL(receiver.url);
  const derived = { '@method': 'POST', '@authority': host, '@path': pathname, '@query': '?channel=a' };
  return coveredIn(message, derived, atOrigin(profile));
};
const NEEDED = [
  ...['@method', '@authority', '@path', '@query', 'ucp-agent', 'idempotency-key', 'content-digest', 'content-type'],
  ...['webhook-id', 'webhook-timestamp'],
];

describe('a platform', () => {
  it('is told of each of its orders, whole and signed, until it takes it, and of what becomes of their flight', async () => {
    const item = await anyone.item();
    receiver.answer = () => (receiver.told.length === 1 ? 500 : 204);
    const first = await bought(item);
    await until(() => receiver.told.length === 2);
    const [failed, taken] = receiver.told;
    expect(taken?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
    expect(orderIn(taken as Received)).toEqual(await ask('GET', `/orders/${first}`));
    const second = await bought(item);
    await until(() => toldOf(second).length === 1);

    const { dependencies } = setting.service;
    const state = await flightAsItIs(dependencies.aggregates, item.split(':')[0] ?? '');
    const { flight } = state as { readonly flight: Flight };
    const desk = { checkouts: checkoutsOf(dependencies), ids: dependencies.ids };
    const context = { actor: SYSTEM, ...newCause(dependencies.ids) };
    for await (const { found } of cancelFlight(desk, flight, 'nevoeiro', context)) expect(found).toMatchObject({});
    await until(() => toldOf(first).length === 4 && toldOf(second).length === 3);
    for (const orderId of [first, second]) {
      const all = toldOf(orderId);
      const last = orderIn(all.at(-1) as Received);
      expect(last.adjustments?.map(({ type }) => type)).toEqual(['refund']);
      expect(last.fulfillment.events.map(({ type }) => type)).toEqual(['ticketed', 'canceled']);
      expect(last).toEqual(await ask('GET', `/orders/${orderId}`));
    }
    expect(new Set(receiver.told.map(({ headers }) => headers['webhook-id'])).size).toBe(6);
    for (const one of receiver.told) expect(await coveredOf(one)).toEqual(expect.arrayContaining(NEEDED));
  });
});
