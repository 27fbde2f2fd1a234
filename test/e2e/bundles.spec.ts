import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeCrypto } from '#transparency';
import { parseVerifierKey, policyOf, type Trust, verifyProvenEvent } from '#verifier';
import type { List, Mandate, Order } from '../support/answers.js';
import { tokensFor } from '../support/agent.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { openSetting, type Setting } from '../support/setting.js';

interface Chained {
  readonly revision: number;
  readonly hash: string;
  readonly previousHash: string;
  readonly logIndex: number | null;
}

let setting: Setting;
let mandate: Mandate;
let order: Order;
let trust: Trust;
beforeAll(async () => {
  setting = await openSetting({ TLOG_INTERVAL: '0.05' });
  mandate = await grant(setting.ana, TRIP_PRICE);
  order = await buy(setting.ana, await book(setting.ana), mandate);
  await sealed(setting.service);
  const key = (await (await fetch(`${setting.origin}/tlog/key`)).text()).trim();
  trust = { crypto: nodeCrypto, policy: policyOf(parseVerifierKey(key, nodeCrypto.sha256)) };
});
afterAll(() => setting.close());

describe('the events of a mandate', () => {
  it('have the hashes that chain them, and their places in the transparency log', async () => {
    const { items } = bodyOf(await setting.ana.get<List<Chained>>(`/mandates/${mandate.id}/events`), 200);
    expect(items.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(items.map(({ previousHash }) => previousHash)).toEqual([
      '0'.repeat(64),
      ...items.slice(0, -1).map(({ hash }) => hash),
    ]);
    const indexes = items.map(({ logIndex }) => logIndex ?? NaN);
    expect(indexes).toEqual([...indexes].sort((one, other) => one - other));
    expect(indexes.every(Number.isSafeInteger)).toBe(true);
  });
});

describe("the proof of an order's receipt", () => {
  const textOf = async (id: string) => {
    const { access_token: token } = await tokensFor(setting.origin);
    const headers = { authorization: `Bearer ${token}` };
    return fetch(`${setting.origin}/api/v1/orders/${id}/receipt/proof`, { headers });
  };

  it('proves with the key alone that the payment is in the log', async () => {
    const answer = await textOf(order.id);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const report = await verifyProvenEvent(await answer.text(), trust);
    expect(report).toMatchObject({ verdict: 'sound', streams: [{ stream: `order-${order.id}` }] });
  });

  it('is for the traveller alone, and only of an order that is paid', async () => {
    const path = `/orders/${order.id}/receipt/proof`;
    expect(await setting.bruno.get(path)).toMatchObject({ status: 404, body: { error: 'ticket_not_found' } });
    expect(await setting.ana.get(path.replace(order.id, mandate.id))).toMatchObject({ status: 404 });
    expect(await setting.anyone.get(path)).toMatchObject({ status: 401 });
  });

  it('is not there yet while the payment is not sealed', async () => {
    const { log } = setting.service.dependencies.transparency;
    const indexOf = log.indexOf.bind(log);
    log.indexOf = () => Promise.resolve(null);
    const { status, headers, body } = await setting.ana.get(`/orders/${order.id}/receipt/proof`);
    expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', { error: 'service_unavailable' }]);
    log.indexOf = indexOf;
  });
});
