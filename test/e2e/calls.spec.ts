import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#config';
import { createLogger } from '#runtime';
import { tellNotGiven } from '#testing';
import { startApi } from '../../apps/api/src/start.js';
import type { Api } from '#agent';
import { startProjector } from '../../apps/projector/src/start.js';
import { countedMongo } from '../../libs/documents/src/testing/index.js';
import { countedEvents } from '../../libs/event-store/src/testing/index.js';
import { apiAt, tokensFor } from '../support/agent.js';
import { newKey } from '../support/keyed.js';
import { book, bodyOf, GOOD_CARD, grant, TRIP, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { ownFolder } from '../support/service.js';
import { areServersUsed, type Environment, storesOf } from '../support/stores.js';

/** What a process asks by itself, whoever calls it. */
const BY_ITSELF =
  /^(hello|ismaster|ping|endSessions|(find|update|insert|delete) (leases|checkpoints|generations|signing-keys)$)/;

class Counted {
  private calls: string[] = [];
  private readonly lines: { readonly close: () => void }[] = [];

  async environment(stores: Environment): Promise<Environment> {
    const tell = (call: string): void => void this.calls.push(call);
    const events = await countedEvents(stores['EVENTSTORE_URL'] ?? '', tell);
    const documents = await countedMongo(stores['MONGODB_URL'] ?? '', tell);
    this.lines.push(events, documents);
    return { ...stores, EVENTSTORE_URL: events.url, MONGODB_URL: documents.url };
  }

  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    this.calls = [];
    await work();
    return this.calls.filter((call) => !BY_ITSELF.test(call));
  }

  /** Waits until a call was made so often since `during` began. */
  async made(call: string, times: number): Promise<void> {
    while (this.calls.filter((one) => one === call).length < times) await sleep(20);
  }

  close(): void {
    for (const line of this.lines) line.close();
  }
}

const title = 'calls to EventStoreDB and MongoDB, counted on the wire';
const cases = () => {
  const folder = ownFolder(() => Promise.all([...running].map((one) => one.stop())));
  const running: { readonly stop: () => Promise<void> }[] = [];
  const [here, there, projector] = [new Counted(), new Counted(), new Counted()];
  let ana: Api;
  let elsewhere: Api;
  const config = async (counted: Counted, more = {}) =>
    readConfig({
      PORT: '0',
      PASSWORD_COST: '10',
      AGENT_TRAFFIC: 'off',
      TLOG_INTERVAL: '3600',
      ...(await counted.environment(storesOf(folder))),
      ...more,
    });
  beforeAll(async () => {
    running.push(await startProjector(await config(projector, { TLOG_INTERVAL: '1' }), createLogger('silent')));
    const apis = [
      await startApi(await config(here), createLogger('silent')),
      await startApi(await config(there), createLogger('silent')),
    ] as const;
    running.push(...apis);
    const token = (await tokensFor(apis[0].origin)).access_token;
    [ana, elsewhere] = [apiAt(apis[0].origin, token), apiAt(apis[1].origin, token)];
    for (const api of [ana, elsewhere]) {
      while ((await api.get('/health/ready')).status !== 200) await sleep(50);
      await buy(api); // what a process asks once
    }
  });
  afterAll(() => {
    for (const counted of [here, there, projector]) counted.close();
  });
  const order = async (api: Api, bookingId: string, mandateId?: string, headers = {}) =>
    bodyOf(await api.call('POST', '/orders', { bookingId, mandateId, payment: GOOD_CARD }, headers), 201);
  const buy = async (api: Api) => order(api, (await book(api)).id, (await grant(api, TRIP_PRICE)).id);

  const CHECKED = ['find grants', 'read delegation', 'find refused-cards'];
  const UNKNOWN = ['read booking', 'read mandate', 'find snapshots'];
  const OUTDATED = ['append SeatsHeld', 'read flight'];
  const SAGA = [
    ...['append BookingCheckoutStarted', 'append SeatsHeld', 'append MandateReserved', 'append OrderPlaced'],
    ...['insert payment-ledger', 'append MandateConsumed', 'append OrderPaid', 'append BookingTicketed'],
  ];
  const ZE = { givenName: 'José', familyName: "D'Ávila" };
  /** Steps side by side come in any order. */
  const expectCalls = async (counted: Counted, work: () => Promise<unknown>, calls: readonly string[]) =>
    expect((await counted.during(work)).toSorted()).toEqual(calls.toSorted());

  it('of an order that names no mandate', async () => {
    const [booking, _] = [await book(ana), await grant(ana, TRIP_PRICE)];
    const calls = await here.during(() => order(ana, booking.id));
    // The list may still have a mandate that another process has spent: it is looked at as well.
    const ofMandates = /^(?:read mandate|find snapshots|find mandates-v.*)$/;
    const chosen = calls.filter((call) => !ofMandates.test(call));
    expect(chosen.toSorted()).toEqual([...CHECKED, ...SAGA].toSorted());
  });

  it('of a token check that a read of a mandate, or of a list, begins with', async () => {
    const { id } = await grant(ana, TRIP_PRICE);
    await expectCalls(here, () => ana.get(`/mandates/${id}`), ['find grants', 'read mandate', 'find metadata']);
    const end = 'read $all'; // which the list is to show
    const page = [end, expect.stringMatching('^aggregate orders-v'), expect.stringMatching('^find orders-v')];
    expect(await here.during(() => ana.get('/orders'))).toEqual(['find grants', ...page, 'find metadata']);
  });

  it('of a booking and of a mandate', async () => {
    const booked = ['find grants', 'read delegation', 'read flight', 'append BookingCreated'];
    await expectCalls(here, () => book(ana), booked);
    await expectCalls(here, () => book(ana, { ...TRIP, travellers: [ZE] }), [...booked, 'insert travellers']);
    const granted = ['find grants', 'append MandateOpened', 'append MandateCreated'];
    await expectCalls(here, () => grant(ana, TRIP_PRICE), granted);
  });

  it('of a projector, for a booking: a write, and one for how far all lists are', async () => {
    let id = '';
    const listed = async () => {
      ({ id } = await book(ana));
      const isListed = async () =>
        (await wholeList<{ readonly id: string }>(ana, '/bookings')).some((one) => one.id === id);
      while (!(await isListed())) await sleep(20);
    };
    const calls = (await projector.during(listed)).filter((call) => / bookings-v/.test(call));
    expect(calls).toEqual([expect.stringMatching('^update bookings-v')]);
  });

  it('of a projector that seals: the log’s end is read, and tiles are written once a round', async () => {
    const ofTheTree = async (work: () => Promise<unknown>) =>
      (await projector.during(work)).filter((call) => call === 'subscribe' || /^update tlog-/.test(call));
    while ((await ofTheTree(() => projector.made('find tlog-head', 2))).length > 0); // all before is sealed
    const calls = await ofTheTree(async () => {
      await book(ana);
      await projector.made('update tlog-head', 1);
    });
    expect(calls).toEqual(['update tlog-tiles', 'update tlog-tiles', 'update tlog-head']);
  });

  it('of an order that names its mandate, with a key too, and through a process that knows neither, and an older flight', async () => {
    const ordered = async (api: Api, headers = {}, trip: object = TRIP) => {
      const [booking, mandate] = [await book(ana, trip), await grant(ana, TRIP_PRICE)];
      return () => order(api, booking.id, mandate.id, headers);
    };
    await expectCalls(here, await ordered(ana), [...CHECKED, ...SAGA]);
    const keyed = ['insert idempotency', 'read booking', 'update idempotency'];
    const headers = { 'idempotency-key': newKey() };
    await expectCalls(here, await ordered(ana, headers), [...CHECKED, ...SAGA, ...keyed]);
    const named = await ordered(ana, {}, { ...TRIP, travellers: [ZE] });
    await expectCalls(here, named, [...CHECKED, ...SAGA, 'find travellers', 'insert travellers']);
    await expectCalls(there, await ordered(elsewhere), [...CHECKED, ...UNKNOWN, ...OUTDATED, ...SAGA]);
  });
};

if (areServersUsed()) describe(title, cases);
else {
  tellNotGiven(title, 'EVENTSTORE_URL', 'MONGODB_URL');
  it.skip(`${title}: skipped, EVENTSTORE_URL and MONGODB_URL are not set`, () => undefined);
}
