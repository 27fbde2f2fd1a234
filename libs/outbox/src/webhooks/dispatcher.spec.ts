import { GuardedPosts, INTERNET } from '#remote';
import { baseUrlsAt } from '#http';
import type { EventType } from '../event-types.js';
import type { Outbox, PublicEvent } from '../outbox.js';
import type { Place } from '../places.js';
import { FixedClock, until, withCalls } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { type Documents, DocumentsUnavailable, Leases, LEASES } from '#documents';
import { Deliveries, DELIVERIES } from './deliveries.js';
import { Dispatcher, type DispatcherParts } from './dispatcher.js';
import { Endpoints, reencryptWebhooks, WEBHOOKS } from './endpoints.js';
import { Receiver } from '../testing/index.js';
import { type PlatformPosts, PlatformEndpoints } from './platform-endpoints.js';

const ANA = { holder: 'ana', clientId: 'agente' };

/** An outbox in memory. */
class Told {
  readonly places: Place[] = [];

  tell(type: EventType, lane: string, at: string, party = ANA): string {
    const number = String(this.places.length + 1);
    const key = `${number.padStart(20, '0')}.000000`;
    this.places.push({ key, id: `evt_${number}`, type, ...party, lane, stream: `order-${number}`, revision: 0, at });
    return `evt_${number}`;
  }

  end = (): Promise<string | null> => Promise.resolve(this.places.at(-1)?.key ?? null);

  after = (key: string | null, whose: Partial<typeof ANA>, limit: number): Promise<readonly Place[]> =>
    Promise.resolve(
      this.places
        .filter((one) => one.key > (key ?? '') && (whose.clientId === undefined || one.clientId === whose.clientId))
        .slice(0, limit),
    );

  eventsOf = (places: readonly Place[]): Promise<readonly PublicEvent[]> =>
    Promise.resolve(
      places.map(({ id, type, at, key }) => ({ id, type, timestamp: at, cursor: key, data: { lane: id } as never })),
    );
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const opened = async () => {
  const clock = new FixedClock();
  const documents = new MemoryDocuments(clock);
  for (const spec of [WEBHOOKS, DELIVERIES, LEASES]) await documents.prepare(spec);
  const keys = [Buffer.alloc(32, 1)];
  const [endpoints, deliveries, told] = [new Endpoints(documents, keys), new Deliveries(documents), new Told()];
  const posts = new GuardedPosts(clock, { network: INTERNET, allowsLoopback: true });
  const errors: unknown[] = [];
  const outcomes: boolean[] = [];
  let number = 0;
  /** An endpoint of Ana’s agent at a receiver of its own. */
  const endpoint = async (types: readonly EventType[] = ['order.paid', 'agent.revoked'], more: object = {}) => {
    const receiver = await Receiver.open();
    ends.push(() => receiver.close());
    number += 1;
    const id = `00000000-0000-4000-8000-00000000000${number}`;
    const { stored } = endpoints.newKey(id, 'hmac-sha256');
    const now = clock.now();
    await endpoints.add(
      id,
      { ...ANA, url: receiver.url, types, keys: [stored], cursor: await told.end(), since: now, ...more },
      now,
    );
    const body = async () => (await endpoints.stored.get(id))?.body;
    const listed = async () => deliveries.listed(await endpoints.get(id, ANA));
    return { id, receiver, now: body, listed };
  };
  const dispatcher = (lease: DispatcherParts['lease'] = null, platformPosts: PlatformPosts | null = null) => {
    const one = new Dispatcher({
      ...{ endpoints, deliveries, posts, clock, lease, platformPosts },
      outbox: told as unknown as Outbox,
      urls: baseUrlsAt('http://127.0.0.1:3000'),
      onSent: (arrived) => outcomes.push(arrived),
      onError: (error) => errors.push(error),
    });
    one.start();
    ends.push(() => one.stop());
    return one;
  };
  const paid = (lane: string) => told.tell('order.paid', lane, clock.now());
  return { clock, documents, endpoints, deliveries, told, endpoint, dispatcher, paid, errors, outcomes };
};

const idsOf = (receiver: Receiver): readonly string[] => receiver.told.map(({ body: { id } }) => id);

describe('events of an agent', () => {
  it('arrive at each of its endpoints once, those of types that it wants, in order in each lane', async () => {
    const { endpoint, dispatcher, paid, told, clock, errors, outcomes } = await opened();
    const before = paid('m0');
    const [all, some] = [await endpoint(), await endpoint(['agent.revoked'])];
    const writtenLate = told.tell('order.paid', 'm0', '2026-01-15T11:59:59.999Z');
    const running = dispatcher();
    const lanes = { m1: [] as string[], m2: [] as string[] };
    for (let n = 0; n < 20; n += 1) for (const lane of ['m1', 'm2'] as const) lanes[lane].push(paid(lane));
    told.tell('order.paid', 'm9', clock.now(), { holder: 'bruno', clientId: 'outro' });
    await until(() => outcomes.length === 40);
    await running.stop();
    const ids = idsOf(all.receiver);
    for (const early of [before, writtenLate]) expect(ids).not.toContain(early);
    for (const lane of Object.values(lanes)) expect(ids.filter((id) => lane.includes(id))).toEqual(lane);
    expect(some.receiver.told).toEqual([]);
    expect(outcomes).toEqual(Array(40).fill(true));
    expect((await all.listed()).length).toBe(20);
    expect(errors).toEqual([]);
  });

  it('that do not arrive are tried again while their lane waits for them, and the other lanes do not', async () => {
    const { endpoint, dispatcher, paid, clock } = await opened();
    const { receiver, listed } = await endpoint();
    const first = paid('m1');
    let isUp = false;
    receiver.answer = ({ body }) => (body.id === first && !isUp ? 503 : 204);
    dispatcher();
    await until(() => receiver.told.length === 1);
    const [behind, other] = [paid('m1'), paid('m2')];
    await until(async () => receiver.told.length === 2 && (await listed()).length === 3);
    expect(idsOf(receiver)).toEqual([first, other]);
    expect(await listed()).toMatchObject([
      { place: { id: other }, status: 'delivered' },
      { place: { id: behind }, status: 'pending', attempts: 0, nextAt: null },
      { place: { id: first }, status: 'pending', attempts: 1, responseStatus: 503, nextAt: '2026-01-15T12:00:02.000Z' },
    ]);
    isUp = true;
    clock.advance(1_999);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.told).toHaveLength(2);
    clock.advance(1);
    await until(() => receiver.told.length === 4);
    expect(idsOf(receiver).slice(2)).toEqual([first, behind]);
    await until(async () => (await listed()).every(({ status }) => status === 'delivered'));
  });

  it('wait as long as their receiver asks', async () => {
    const { endpoint, dispatcher, paid } = await opened();
    const { receiver, listed } = await endpoint();
    receiver.answer = (_, response) => (response.writeHead(429, { 'retry-after': '3600' }).end(), null);
    paid('m1');
    dispatcher();
    await until(async () => (await listed())[0]?.attempts === 1);
    expect(await listed()).toMatchObject([{ responseStatus: 429, nextAt: '2026-01-15T13:00:00.000Z' }]);
  });

  it('go on at once after a restart, and what had arrived before it does not come again', async () => {
    const { endpoint, dispatcher, paid } = await opened();
    const { receiver, listed } = await endpoint();
    const failing = paid('m1');
    let isUp = false;
    receiver.answer = ({ body }) => (body.id === failing && !isUp ? 500 : 204);
    const running = dispatcher();
    const arrived = Array.from({ length: 5 }, () => paid('m2'));
    const behind = paid('m1');
    await until(async () => receiver.told.length === 6 && (await listed()).length === 7);
    await running.stop();
    isUp = true;
    const missed = paid('m2');
    dispatcher();
    await until(() => receiver.told.length === 9);
    const ids = idsOf(receiver);
    for (const id of [...arrived, behind, missed])
      expect([id, ids.filter((one) => one === id).length]).toEqual([id, 1]);
    expect(ids.filter((one) => one === failing)).toHaveLength(2);
  });

  it('wait for nobody who hangs, and are sent again where that was cut off', async () => {
    const { endpoint, dispatcher, paid, outcomes } = await opened();
    const [hanging, other] = [await endpoint(), await endpoint()];
    hanging.receiver.answer = () => null;
    const running = dispatcher();
    const ids = Array.from({ length: 30 }, (_, n) => paid(`m${n}`));
    await until(() => other.receiver.told.length === 30 && hanging.receiver.told.length === 4);
    await until(() => outcomes.length === 30);
    await running.stop();
    hanging.receiver.answer = () => 204;
    dispatcher();
    await until(() => hanging.receiver.told.length === 34);
    expect(idsOf(hanging.receiver).slice(4).toSorted()).toEqual(ids.toSorted());
    expect(other.receiver.told).toHaveLength(30);
  });

  it('are sent again to who comes back under the same id, from where it was', async () => {
    const { endpoint, dispatcher, paid, clock, endpoints } = await opened();
    const { id, receiver, now } = await endpoint();
    const body = await now();
    if (!body) throw new Error('it was made');
    dispatcher();
    const event = paid('m1');
    await until(() => receiver.told.length === 1);
    clock.advance(1_000);
    await endpoints.stored.delete(id);
    await endpoints.stored.insert(id, { ...body, createdAt: clock.now(), changedAt: clock.now() });
    await until(() => receiver.told.length === 2);
    expect(idsOf(receiver)).toEqual([event, event]);
  });

  it('are sent to no endpoint any more that says that it is gone, of which nothing is kept once its agent is', async () => {
    const { endpoint, dispatcher, paid, told, clock } = await opened();
    const { receiver, now } = await endpoint();
    receiver.answer = () => 410;
    dispatcher();
    paid('m1');
    await until(async () => (await now())?.disabled === 'gone');
    paid('m2');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(receiver.told).toHaveLength(1);
    const other = await endpoint();
    other.receiver.answer = () => 410;
    clock.advance(1_000);
    told.tell('agent.revoked', 'agente', clock.now());
    await until(() => other.receiver.told.length === 1);
    for (const one of [now, other.now]) await until(async () => (await one()) === undefined);
  });

  it('are given up after three days, and the endpoint with them where nothing else has arrived', async () => {
    const { endpoint, dispatcher, paid, clock } = await opened();
    const { receiver, now, listed } = await endpoint();
    receiver.answer = () => 500;
    dispatcher();
    paid('m1');
    await until(async () => (await listed())[0]?.attempts === 1);
    // Hour by hour: a busy machine may look at the time only after it was moved.
    await until(async () => {
      clock.advance(3_600_000);
      return (await now())?.disabled !== undefined;
    });
    expect(await now()).toMatchObject({ disabled: 'failing', failingSince: '2026-01-15T12:00:00.000Z' });
    expect(await listed()).toMatchObject([{ status: 'failed', nextAt: null }]);
  });

  it('of a subscription are given up, each by itself, where they are too long for its receiver', async () => {
    const { endpoint, dispatcher, paid, outcomes } = await opened();
    const { receiver, now } = await endpoint(['order.paid'], { subscription: { safe: '0' } });
    const tooLong = paid('m1');
    receiver.answer = ({ text }) => (text.includes(`"eventId":"${tooLong}"`) ? 413 : 204);
    dispatcher();
    await until(() => outcomes.length === 1);
    for (let n = 0; n < 2; n += 1) paid('m1');
    await until(async () => (await now())?.subscription?.safe === `${'3'.padStart(20, '0')}.000000`);
    expect([receiver.told.length, (await now())?.disabled]).toEqual([3, undefined]);
  });

  it('end with the revocation of the agent: it, and what was queued, are the last that its endpoints get', async () => {
    const { endpoint, dispatcher, paid, told, clock, endpoints } = await opened();
    const { receiver, now } = await endpoint();
    const queued = paid('m1');
    let isUp = false;
    receiver.answer = ({ body }) => (body.id === queued && !isUp ? 500 : 204);
    dispatcher();
    await until(() => receiver.told.length === 1);
    const end = told.tell('agent.revoked', 'agente', clock.now());
    const late = paid('m1');
    await until(() => receiver.told.length === 2);
    await until(async () => (await endpoints.of(ANA)).length === 0);
    expect(await now()).toMatchObject({ isEnding: true });
    isUp = true;
    clock.advance(2_000);
    await until(async () => (await now()) === undefined);
    expect(idsOf(receiver)).toEqual([queued, end, queued]);
    expect(idsOf(receiver)).not.toContain(late);
  });

  it('are sent by one of several processes, and by another once that has lost its lease', async () => {
    const { endpoint, dispatcher, paid, documents, clock } = await opened();
    const { receiver } = await endpoint();
    let isCutOff = false;
    const one = withCalls(documents, (_, call) => (...args) => {
      return isCutOff ? Promise.reject(new DocumentsUnavailable('nobody answers')) : call(...args);
    });
    const leaseOf = (of: Documents, owner: string) => ({ leases: new Leases(of, clock, owner), milliseconds: 600 });
    const first = dispatcher(leaseOf(one, 'one'));
    await until(() => first.figures !== null);
    const second = dispatcher(leaseOf(documents, 'other'));
    const before = paid('m1');
    await until(() => receiver.told.length === 1);
    expect(second.figures).toBeNull();
    isCutOff = true;
    await until(() => first.figures === null && second.figures !== null);
    const after = paid('m1');
    await until(() => receiver.told.length === 2);
    expect(idsOf(receiver)).toEqual([before, after]);
  });

  it('are sent to ten endpoints of an agent at most, however many are made at once', async () => {
    const { endpoints, clock } = await opened();
    const id = (n: number) => `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`;
    const wanted = { ...ANA, url: 'https://agente.example/', types: [], cursor: null };
    const made = await Promise.allSettled(
      Array.from({ length: 25 }, (_, n) => {
        const { stored } = endpoints.newKey(id(n), 'ed25519');
        return endpoints.add(id(n), { ...wanted, keys: [stored] }, clock.now());
      }),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await endpoints.of(ANA)).toHaveLength(10);
  });

  it('are signed by keys that lie sealed, and follow another key of the installation', async () => {
    const { endpoint, documents, clock } = await opened();
    const [key] = (await (await endpoint()).now())?.keys ?? [];
    expect(key?.sealed.cipher).toBe('aes-256-gcm');
    const sealing = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)];
    expect(await reencryptWebhooks(documents, sealing)).toBe(1);
    expect(await reencryptWebhooks(documents, sealing)).toBe(0);
    const endpoints = new Endpoints(documents, sealing.slice(0, 1));
    const [webhook] = await endpoints.of(ANA);
    expect(webhook && endpoints.keysOf(webhook, clock.now())).toHaveLength(1);
  });
});

describe('platforms of UCP', () => {
  const PROFILE = 'https://agente.example/profile.json';

  const telling = async () => {
    const all = await opened();
    const { endpoints, clock, told } = all;
    const platforms = new PlatformEndpoints(endpoints, told as unknown as Outbox, clock);
    const receiver = await Receiver.open();
    ends.push(() => receiver.close());
    const messageOf = ({ id }: Place, url: string) => ({ url, headers: {}, body: JSON.stringify({ id }) });
    const { stored } = endpoints;
    const one = async () => {
      for await (const { body } of stored.every()) return body;
      return null;
    };
    return { ...all, platforms, receiver, messageOf, one };
  };

  it('are told where they want to be told by then, in order, all of what is told again where a part did not arrive', async () => {
    const { platforms, receiver, messageOf, dispatcher, paid, told, clock, errors } = await telling();
    const other = await Receiver.open();
    ends.push(() => other.close());
    const before = paid('m1');
    await platforms.ensure(PROFILE, ANA);
    await platforms.ensure(PROFILE, ANA);
    let [isRead, at] = [false, receiver.url];
    const posts: PlatformPosts = (profile, place) => {
      expect(profile).toBe(PROFILE);
      if (!isRead) return Promise.resolve(null);
      return Promise.resolve([messageOf(place, at), messageOf({ ...place, id: `${place.id}b` }, at)]);
    };
    dispatcher(null, posts);
    const ids = [paid('m1'), paid('m1')];
    told.tell('mandate.revoked', 'm1', clock.now());
    await new Promise((resolve) => setTimeout(resolve, 500));
    isRead = true;
    receiver.answer = ({ body }) => (body.id === `${ids[0] ?? ''}b` && receiver.told.length === 2 ? 503 : 204);
    clock.advance(2_000);
    await until(() => receiver.told.length === 2);
    clock.advance(60_000);
    const both = ids.flatMap((id) => [id, `${id}b`]);
    await until(() => receiver.told.length === 6);
    expect(idsOf(receiver)).toEqual([...both.slice(0, 2), ...both]);
    at = other.url;
    const last = paid('m1');
    await until(() => other.told.length === 2);
    expect(idsOf(other)).toEqual([last, `${last}b`]);
    expect(idsOf(receiver)).not.toContain(before);
    expect(errors).toEqual([]);
  });

  it('that want to be told nowhere are asked for each, and begin anew once their agent comes back', async () => {
    const { platforms, receiver, messageOf, dispatcher, paid, told, clock, one, outcomes } = await telling();
    await platforms.ensure(PROFILE, ANA);
    let url: string | null = null;
    const asked: string[] = [];
    dispatcher(null, (_, place) => {
      asked.push(place.id);
      return Promise.resolve(url === null ? [] : [messageOf(place, url)]);
    });
    const none = paid('m1');
    await until(() => asked.length === 1);
    url = receiver.url;
    const second = paid('m1');
    await until(() => outcomes.length === 1);
    expect([asked, idsOf(receiver), outcomes]).toEqual([[none, second], [second], [true]]);
    told.tell('agent.revoked', 'agente', clock.now());
    await until(async () => (await one()) === null);
    paid('m1');
    clock.advance(1_000);
    await platforms.ensure(PROFILE, ANA);
    const third = paid('m1');
    clock.advance(1_000);
    await until(() => receiver.told.length === 2);
    expect(idsOf(receiver)).toEqual([second, third]);
  });
});
