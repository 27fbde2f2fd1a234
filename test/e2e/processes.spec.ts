import { setTimeout as sleep } from 'node:timers/promises';
import { STOP_BUDGET, SystemClock } from '#kernel';
import { rebuild } from '#read-models';
import { PROJECTIONS } from '#runtime';
import { until } from '#testing';
import type { Api } from '#agent';
import type { RunningProjector } from '../../apps/projector/src/start.js';
import { apiAt, tokensFor } from '../support/agent.js';
import type { Booking, List, Order, Refused } from '../support/answers.js';
import { ManyProcesses } from '../support/many-processes.js';
import { bodyOf, book, buy, grant, mandateNow, TRIP, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('its processes share the files of a folder');

interface Ready {
  readonly status: string;
  readonly readModels: readonly { readonly name: string; readonly lagSeconds: number }[];
}

const folder = ownFolder(() => processes.close());
let processes: ManyProcesses;
let active: RunningProjector;
let token: string;
let ana: readonly Api[];

beforeAll(async () => {
  processes = await ManyProcesses.open(folder, { PROJECTION_LEASE_SECONDS: '0.6', RECOVERY_PAUSE_SECONDS: '0.1' });
  // Both import the catalogue, make keys and register the travellers at once; nobody projects yet.
  const apis = await Promise.all([processes.api(), processes.api()]);
  active = await processes.projector();
  await until(active.isActive);
  token = (await tokensFor(apis[0].origin)).access_token;
  ana = apis.map(({ origin }) => apiAt(origin, token));
  // Lists are 503 until somebody has built them (docs/deploy.md, Many processes).
  for (const one of ana) await until(async () => (await one.get('/health/ready')).status === 200);
});

const first = (): Api => ana[0] ?? fail();
const second = (): Api => ana[1] ?? fail();
const fail = (): never => {
  throw new Error('no process runs');
};

/** By this clock a process that stops goes on answering until the test has asked what it wants to know. */
class LeaveTaking extends SystemClock {
  constructor(private readonly isOver: AbortSignal) {
    super();
  }

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const isFarewell = milliseconds === STOP_BUDGET.farewell;
    return isFarewell ? super.sleep(60_000, this.isOver) : super.sleep(milliseconds, signal);
  }
}

describe('many processes over the same stores', () => {
  it('import the catalogue once', async () => {
    await until(async () => bodyOf(await first().get<List<object>>('/flights'), 200).count > 0);
    const scheduled: string[] = [];
    for await (const { stream, type } of processes.ports.events.readAll(null))
      if (type === 'FlightScheduled') scheduled.push(stream);
    expect(new Set(scheduled).size).toBe(scheduled.length);
  });

  it('are ready, and say how far the read models are', async () => {
    const { status, readModels } = bodyOf(await first().get<Ready>('/health/ready'), 200);
    expect(status).toBe('ready');
    expect(readModels.map(({ name }) => name)).toEqual(PROJECTIONS.map(({ name }) => name));
  });

  it('show what was written through one in the lists of the other right after the 201', async () => {
    for (let n = 0; n < 10; n += 1) {
      const [writer, reader] = n % 2 === 0 ? [first(), second()] : [second(), first()];
      const booking = await book(writer);
      const order = await buy(writer, booking, await grant(writer, TRIP_PRICE));
      expect(bodyOf(await reader.get(`/orders/${order.id}/receipt`), 200)).toMatchObject({ ticketId: order.id });
      await until(async () => (await wholeList<Order>(reader, '/orders')).some(({ id }) => id === order.id));
    }
  });

  it('read their own writes in the lists while another process projects', async () => {
    let missed = 0;
    for (let n = 0; n < 20; n += 1) {
      const booking = await book(first());
      const [newest] = bodyOf(await first().get<List<Booking>>('/bookings?limit=1'), 200).items;
      if (newest?.id !== booking.id) missed += 1;
    }
    expect(missed).toBe(0);
  });

  /** The bookings; a process that has not heard of the store for too long tells none, and is asked again. */
  const shownBy = async (reader: Api): Promise<readonly Booking[]> => {
    for (;;) {
      const answer = await reader.get<List<Booking>>('/bookings?limit=500');
      if (answer.status !== 503) return bodyOf(answer, 200).items;
      await sleep(20);
    }
  };

  it('show every line of a list while it is rebuilt, and drop the generation of before', async () => {
    const { events, readModelStore: store, clock } = processes.ports;
    const known = await wholeList<Booking>(first(), '/bookings');
    const projection = PROJECTIONS.find(({ name }) => name === 'bookings') ?? fail();
    const ended = new AbortController();
    const rebuilt = rebuild(projection, {
      events,
      store,
      clock,
      leases: active.dependencies.leases,
      lease: 60_000,
      grace: 2_500,
      onError: (_, error) => {
        throw error;
      },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    }).finally(() => ended.abort());
    while (!ended.signal.aborted) {
      for (const reader of ana) expect(await shownBy(reader)).toEqual(known);
      await sleep(20);
    }
    await rebuilt;
    expect(await store.collections('bookings-v6-')).toEqual(['bookings-v6-2']);
    const booking = await book(second());
    expect(await wholeList<Booking>(second(), '/bookings')).toEqual([booking, ...known]);
  });

  it('go on projecting and settling in a process that stood by when the one at work stops', async () => {
    const standby = await processes.projector();
    // On a busy machine a lease may change hands: what counts is that one of the two is at work, and the other takes over.
    await until(() => active.isActive() !== standby.isActive());
    const [atWork, waiting] = active.isActive() ? [active, standby] : [standby, active];
    await atWork.stop();
    await until(waiting.isActive);
    const booking = await book(first());
    await until(async () => (await wholeList<Booking>(second(), '/bookings')).some(({ id }) => id === booking.id));
  });

  it('lose nothing that was answered when one of them stops under load', async () => {
    const farewell = new AbortController();
    const { origin, stop } = await processes.api(new LeaveTaking(farewell.signal));
    const mandate = await grant(first(), TRIP_PRICE * 12);
    const third = apiAt(origin, token);
    const answers: { readonly status: number; readonly id: string }[] = [];
    let isRefused = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isRefused) {
        try {
          const { status, body } = await third.post<Booking & Refused>('/bookings', TRIP);
          answers.push({ status, id: body.id });
        } catch {
          isRefused = true; // it no longer listens
        }
      }
    });
    await until(() => answers.length > 20);
    const leaving = stop();
    const ready = await third.get<Refused>('/health/ready');
    expect([ready.status, ready.body.details]).toEqual([503, { missing: ['stopping'] }]);
    const order = await buy(third, await book(third), mandate);
    farewell.abort();
    await leaving;
    await Promise.all(load);
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    for (const { id } of created) expect(await first().get(`/bookings/${id}`)).toMatchObject({ status: 200 });
    expect(await second().get(`/orders/${order.id}`)).toMatchObject({ status: 200 });
    expect((await mandateNow(second(), mandate)).consumed.amount).toBe(TRIP_PRICE);
  });
});
