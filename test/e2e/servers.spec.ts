import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tellSkipped } from '#testing';
import type { Api } from '../../apps/cli/src/agent/index.js';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import type { Booking, Order } from '../support/answers.js';
import { book, buy, grant, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { type RealProcess, runProjector, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder } from '../support/service.js';
import { areServersUsed, storesOf } from '../support/stores.js';

/** Waits for something that comes about by itself. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(50);
};

const title = 'processes of the distributed way, over servers';
const cases = () => {
  let folder: string;
  let projectors: readonly RealProcess[];
  let apis: readonly (RealProcess & { readonly origin: string })[];
  let one: Api;
  let other: Api;
  const environment = () => ({ ...storesOf(folder), PASSWORD_COST: '10', LOG_LEVEL: 'silent' });
  beforeAll(async () => {
    folder = await newFolder();
    projectors = [runProjector(environment()), runProjector(environment())];
    apis = await Promise.all([startProcess(folder, environment()), startProcess(folder, environment())]);
    const [first, second] = apis.map(({ origin }) => origin);
    const token = (await tokensFor(first ?? '')).access_token;
    [one, other] = [apiAt(first ?? '', token), apiAt(second ?? '', token)];
    for (const api of [one, other]) await until(async () => (await api.get('/health/ready')).status === 200);
  });
  afterAll(async () => {
    await Promise.all([...apis, ...projectors].map((process) => process.end('SIGTERM')));
    await removeFolder(folder);
  });

  const isListed = async (api: Api, path: string, id: string): Promise<boolean> =>
    (await wholeList<Booking | Order>(api, path)).some((item) => item.id === id);

  it('sell through one what the other shows', async () => {
    const order = await buy(one, await book(one), await grant(one, TRIP_PRICE));
    expect(await other.get(`/orders/${order.id}/receipt`)).toMatchObject({ status: 200, body: { ticketId: order.id } });
    await until(() => isListed(other, '/orders', order.id));
  });

  it('go on projecting when a process is killed, whichever is at work', async () => {
    for (const killed of projectors) {
      await killed.end('SIGKILL');
      const booking = await book(one);
      await until(() => isListed(other, '/bookings', booking.id));
      projectors = [...projectors.filter((projector) => projector !== killed), runProjector(environment())];
    }
  });

  it('are rebuilt under, live, without a moment without data', async () => {
    const known = await wholeList<Booking>(one, '/bookings');
    const ended = new AbortController();
    const rebuilt = alcada(folder, ['rebuild', 'bookings']).finally(() => ended.abort());
    while (!ended.signal.aborted) {
      for (const api of [one, other]) expect(await wholeList<Booking>(api, '/bookings')).toEqual(known);
      await sleep(50);
    }
    expect(await rebuilt).toMatchObject({ code: 0, stdout: 'Rebuilt: bookings.\n' });
    const booking = await book(other);
    await until(() => isListed(one, '/bookings', booking.id));
  });

  it('end at SIGTERM', async () => {
    const endings = await Promise.all([...apis, ...projectors].map((process) => process.end('SIGTERM')));
    for (const ending of endings) expect(ending).toEqual({ code: 0, signal: null });
  });
};

if (areServersUsed()) describe(title, cases);
else {
  tellSkipped(title, 'EVENTSTORE_URL and MONGODB_URL are not set');
  it.skip(`${title}: skipped, EVENTSTORE_URL and MONGODB_URL are not set`, () => undefined);
}
