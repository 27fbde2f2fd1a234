import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#config';
import { LEDGER, REFUNDS } from '#checkout';
import { openPorts } from '#runtime';
import { tellNotGiven } from '#testing';
import type { Answer, Api } from '#agent';
import { apiAt, tokensFor } from '../support/agent.js';
import type { Booking, Order, Refused } from '../support/answers.js';
import { readBooks } from '../support/books.js';
import { type BreakableServer, breakableServers } from '../support/breakable-servers.js';
import { findings } from '../support/findings.js';
import { post } from '../support/keyed.js';
import { GOOD_CARD, grant, TRIP, wholeList } from '../support/purchase.js';
import { type RealProcess, runProjector, startProcess } from '../support/real-process.js';
import { ownFolder } from '../support/service.js';
import { areServersUsed, storesOf } from '../support/stores.js';

const BUYERS = 6;
/** How often a server, or MongoDB's primary, goes and comes back. */
const TIMES = 12;
/** Ms after which what has not come back will not, on a machine as busy as may be; and after which a call has ended, whatever happens. */
const [BACK, BOUND] = [60_000, 30_000];
/** The lag (s) that a read model may tell of while there is nothing in the log for it: its place is written down so seldom. */
const SILENCE = 7;
/** What is answered while the call whose answer was lost still runs. */
const UNDER_WAY = ['idempotency_in_flight', 'order_in_progress'];

const until = async (isSo: () => boolean | Promise<boolean>, what: string, within = BACK): Promise<void> => {
  const deadline = performance.now() + within;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await sleep(50);
  }
};

/** A call's answer; null: the connection broke. */
const tried = <Body>(call: Promise<Answer<Body>>): Promise<Answer<Body> | null> => call.catch(() => null);

const title = 'the whole service, while its servers go and come back';
const cases = () => {
  const folder = ownFolder(async () => {
    [isOver, isGivenUp] = [true, true];
    await Promise.all([...apis, projector].map((process) => process.end('SIGTERM')));
    await broken.close();
  });
  let broken: Awaited<ReturnType<typeof breakableServers>>;
  let environment: Readonly<Record<string, string>>;
  let apis: readonly (RealProcess & { readonly origin: string })[];
  let projector: RealProcess;
  let agents: readonly Api[];
  const bought: { readonly booking: string; readonly order: string }[] = [];
  const statuses = new Map<number, number>();
  let slowest = 0;
  /** Whether the buyers are to stop after what they are at, and whether nobody waits for that. */
  let [isOver, isGivenUp] = [false, false];
  let flights: readonly string[];

  beforeAll(async () => {
    broken = await breakableServers(storesOf(folder));
    // What a call leaves that nobody could put an end to is taken up again after these.
    const times = { IDEMPOTENCY_LEASE_SECONDS: '4', HOLD_SECONDS: '10' };
    environment = { ...broken.environment, ...times, PASSWORD_COST: '10', LOG_LEVEL: 'error' };
    projector = runProjector(environment);
    apis = await Promise.all([startProcess(folder, environment), startProcess(folder, environment)]);
    const token = (await tokensFor(apis[0]?.origin ?? '')).access_token;
    agents = apis.map(({ origin }) => apiAt(origin, token));
    await until(async () => (await anyone().get('/flights/AL1201')).status === 200, 'a catalogue', 60_000);
    const all = await wholeList<{ readonly flightNumber: string }>(anyone(), '/flights');
    flights = all.map(({ flightNumber }) => flightNumber).filter((number) => number.startsWith('AL1'));
  });

  const anyone = (place = 0): Api => agents[place % agents.length] ?? fail();
  const fail = (): never => {
    throw new Error('no process runs');
  };

  /** Says the same, with the same key, by one process and the other, until it is done or refused for good. */
  const insist = async <Body>(place: number, path: string, body: object): Promise<Body> => {
    const key = randomUUID();
    for (let turn = place; ; turn += 1) {
      const began = performance.now();
      const answer = await tried(post<Body & Partial<Refused>>(anyone(turn), path, body, key));
      slowest = Math.max(slowest, performance.now() - began);
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (answer?.status === 201) return answer.body;
      if (isGivenUp) fail();
      const isUnderWay = UNDER_WAY.includes(answer?.body.error ?? '');
      if (![0, 503].includes(status) && !isUnderWay) {
        const requestId = answer?.body.requestId ?? '';
        await sleep(500); // until it is logged
        const logged = apis.flatMap(({ stdout }) => stdout().split('\n')).filter((line) => line.includes(requestId));
        throw new Error(`${path}: ${status} ${JSON.stringify(answer?.body)}\n${logged.join('\n')}`);
      }
      await sleep(100);
    }
  };

  const buyers = () => {
    const buy = async (place: number): Promise<void> => {
      const mandate = await grant(anyone(), 1_000_000_00);
      for (let n = 0; !isOver; n += 1) {
        const trip = { ...TRIP, flightNumber: flights[n % flights.length] };
        const booking = await insist<Booking>(place + n, '/bookings', trip);
        const request = { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD };
        const order = await insist<Order>(place + n, '/orders', request);
        bought.push({ booking: booking.id, order: order.id });
      }
    };
    const running = Promise.all(Array.from({ length: BUYERS }, (_, place) => buy(place)));
    return async () => {
      isOver = true;
      await running;
    };
  };

  interface Ready {
    readonly status: string;
    readonly readModels: readonly { readonly name: string; readonly lagSeconds: number }[];
  }
  /** Whether a process says that it can work, and all read models are level with the log, but for `lag` seconds. */
  const isLevel = async (api: Api, lag: number): Promise<boolean> => {
    const { status, body } = (await tried(api.get<Ready>('/health/ready'))) ?? {};
    return status === 200 && body !== undefined && body.readModels.every(({ lagSeconds }) => lagSeconds <= lag);
  };
  const isListed = async (api: Api, path: string, id: string): Promise<boolean> => {
    const list = await wholeList<{ readonly id: string }>(api, path).catch(() => []);
    return list.some((item) => item.id === id);
  };
  /** Goes away under load, and back; answers after how many ms all was sold and shown again. */
  const outage = async (server: BreakableServer, isProjectorKilled: boolean): Promise<number> => {
    const before = bought.length;
    await until(() => bought.length >= before + 2 * BUYERS, 'buyers that buy');
    await server.restart(async () => {
      if (!isProjectorKilled) return;
      await projector.end('SIGKILL');
      projector = runProjector(environment); // it will catch up with what it missed
    });
    const back = performance.now();
    const during = bought.length;
    await until(() => bought.length > during, `a purchase after ${server.name} was away`);
    const { order, booking } = bought.at(-1) ?? fail();
    for (const api of agents) {
      await until(() => isListed(api, '/orders', order), `an order in the list after ${server.name} was away`);
      await until(() => isListed(api, '/bookings', booking), `a booking in the list after ${server.name} was away`);
      await until(() => isLevel(api, SILENCE), `level after ${server.name} was away`);
    }
    return performance.now() - back;
  };

  it('sells on within seconds every time, and in the end everything was sold, paid and shown once', async () => {
    const stop = buyers();
    const took: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const server = broken.servers[time % broken.servers.length] ?? fail();
      took.push(await outage(server, time % 2 === 1));
    }
    await stop();
    process.stdout.write(
      `level again after ${took.map((time) => Math.round(time)).join(', ')} ms; ${bought.length} tickets; ` +
        `answers ${JSON.stringify(Object.fromEntries(statuses))}; the slowest after ${Math.round(slowest)} ms\n`,
    );
    expect(slowest).toBeLessThan(BOUND);
    expect(statuses.get(503)).toBeGreaterThan(0); // they were away

    for (const api of agents) {
      await until(() => isLevel(api, 0), 'level in the end');
      await until(async () => (await wholeList(api, '/orders')).length >= bought.length, 'all orders listed');
      const orders = (await wholeList<Order>(api, '/orders')).filter(({ status }) => status === 'paid');
      expect(orders.map(({ id }) => id).sort()).toEqual(bought.map(({ order }) => order).sort());
      const bookings = (await wholeList<Booking>(api, '/bookings')).map(({ id }) => id);
      expect(bookings.sort()).toEqual(bought.map(({ booking }) => booking).sort());
    }
    const ports = await openPorts(readConfig({ ...storesOf(folder) }));
    for (const rows of [LEDGER, REFUNDS]) await ports.documents.prepare(rows);
    expect(findings(await readBooks(ports.events, ports.documents))).toEqual([]);
    await Promise.all([ports.events.close(), ports.documents.close(), ports.readModelStore.close()]);
  }, 600_000);
};

if (areServersUsed()) describe(title, cases);
else {
  tellNotGiven(title, 'EVENTSTORE_URL', 'MONGODB_URL');
  it.skip(`${title}: skipped, EVENTSTORE_URL and MONGODB_URL are not set`, () => undefined);
}
