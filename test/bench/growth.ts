import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { flights, soldFare } from '#catalog';
import { delegations, mandates } from '#mandate';
import type { StreamType } from '#events';
import { CHARGE_SCOPES, money, plus, SystemClock } from '#kernel';
import { sampleFare } from '../../libs/catalog/src/testing/index.js';
import { openBuyers } from './buyers.js';
import { startServer, withFolder } from './server.js';
import { printTable, type Row } from './table.js';

const PARTY = { holder: randomUUID(), clientId: 'pilot' } as const;
const PRICE = money(100_00, 'BRL');
const LIMIT = money(10 ** 12, 'BRL');
/** How often two commands are decided and folded to time them, and before that. */
const [PAIRS, WARM_UP] = [5_000, 2_000];
/** As many streams as a process keeps folded (`AggregateOptions.cached`). */
const STREAMS = 10_000;
/** Orders, with a booking each, after which the files are looked at. */
const ORDERS = 1_000;
const DAYS = 365;

const now = new SystemClock().now();
const later = plus(now, 3_600_000);

/** A kind of stream: how one begins, a command that fills it, and one that takes this back. */
interface Growing<Id, State, Command, Event> {
  readonly type: StreamType<Id, State, Command, Event>;
  readonly begin: NoInfer<Command>;
  readonly fill: (id: string) => NoInfer<Command>;
  readonly empty: (id: string) => NoInfer<Command>;
}

/** States of a kind of stream, and what two commands on one cost. */
const growing = <Id, State, Command, Event>({ type, begin, fill, empty }: Growing<Id, State, Command, Event>) => {
  const { decide, evolve, initialState } = type.decider;
  const apply = (state: State, command: Command): State => decide({ ...command, now }, state).reduce(evolve, state);
  const filled = (size: number): State => {
    let state = apply(initialState(), begin);
    for (let place = 0; place < size; place += 1) state = apply(state, fill(randomUUID()));
    return state;
  };
  const cost = (state: State): number => {
    const pair = () => apply(apply(state, fill('next')), empty('next'));
    for (let place = 0; place < WARM_UP; place += 1) pair();
    const { user } = process.cpuUsage();
    for (let place = 0; place < PAIRS; place += 1) pair();
    return (process.cpuUsage().user - user) / PAIRS;
  };
  const rows = (what: string, sizes: readonly number[]): readonly Row[] =>
    sizes.map((size) => {
      const state = filled(size);
      const bytes = JSON.stringify(state).length;
      return [`${what}: ${size}`, bytes.toFixed(0), cost(state).toFixed(1)];
    });
  /** As it comes from a log or a snapshot: made of JSON. */
  const loaded = (size: number): State => JSON.parse(JSON.stringify(filled(size))) as State;
  return { loaded, rows };
};

const mandate = growing({
  type: mandates,
  begin: {
    type: 'CreateMandate' as const,
    mandateId: randomUUID(),
    ...PARTY,
    scope: CHARGE_SCOPES,
    limit: LIMIT,
    minutes: 60,
    startsAt: now,
    expiresAt: later,
    grantedBy: 'agent',
  },
  fill: (orderId) => ({
    type: 'Reserve' as const,
    orderId,
    bookingId: randomUUID(),
    ...PARTY,
    amount: PRICE,
    purchase: { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: PRICE },
    holdBefore: later,
  }),
  empty: (orderId) => ({ type: 'Consume' as const, orderId }),
});

const delegation = growing({
  type: delegations,
  begin: { type: 'AuthorizeAgent' as const, ...PARTY, grantId: randomUUID(), scopes: CHARGE_SCOPES },
  fill: (mandateId) => ({ type: 'OpenMandate' as const, mandateId, limit: PRICE, expiresAt: later }),
  empty: (mandateId) => ({ type: 'CloseMandate' as const, mandateId, consumed: PRICE }),
});

const flight = growing({
  type: flights,
  begin: {
    type: 'ScheduleFlight' as const,
    flight: {
      flightNumber: 'AL1000',
      slug: 'voo',
      from: 'GRU',
      fromCity: null,
      to: 'REC',
      toCity: 'Recife',
      departureTime: '07:15',
      departureDate: null,
      timeZone: null,
      durationMin: 75,
      seats: 1_000,
      currency: 'BRL',
      fares: [sampleFare()],
    },
  },
  fill: (orderId) => ({
    type: 'HoldSeats' as const,
    orderId,
    seats: 1,
    sold: soldFare(sampleFare()),
    departureTime: '07:15',
    holdBefore: later,
  }),
  empty: (orderId) => ({ type: 'ReleaseSeats' as const, orderId, holdBefore: later }),
});

/** What as many folded streams as a process keeps take of its heap. */
const heapOf = (what: string, state: () => unknown): Row => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: STREAMS }, state);
  collect();
  const bytes = process.memoryUsage().heapUsed - before;
  return [what, `${(bytes / kept.length / 1_000).toFixed(1)} KB`, `${(bytes / 1e6).toFixed(0)} MB`];
};

const filesIn = (folder: string): ReadonlyMap<string, number> => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.db'));
  return new Map(names.map((name) => [name, statSync(join(folder, name)).size]));
};

/** What an order and its booking leave on the disk, and what one a second leaves in a year. */
const diskRows = (): Promise<readonly Row[]> =>
  withFolder(async (folder) => {
    const filesAfterOrders = async () => {
      const server = await startServer(folder);
      const { book, order, own } = await openBuyers(server.origin);
      await order((await book(ORDERS)).bookings, own);
      await server.stop();
      return filesIn(folder);
    };
    const before = await filesAfterOrders();
    const after = await filesAfterOrders();
    return [...after].map(([name, bytes]): Row => {
      const each = (bytes - (before.get(name) ?? 0)) / ORDERS;
      return [name, each.toFixed(0), `${((each * 86_400 * DAYS) / 1e9).toFixed(0)} GB`];
    });
  });

/** What grows with mandates, agents, flights and orders, and how much. */
export const growth = async (): Promise<void> => {
  printTable(
    'A stream by what its state holds: bytes of its snapshot, and µs to decide and fold two commands',
    [
      ...mandate.rows('a mandate, open reservations', [0, 10, 100]),
      ...delegation.rows('a delegation, open mandates', [0, 10, 99]),
      ...flight.rows('a flight, orders with seats', [0, 150, 300]),
    ],
    ['bytes', 'µs'],
  );
  printTable(
    `Heap of ${STREAMS} folded states`,
    [
      heapOf('a mandate without open reservations', () => mandate.loaded(0)),
      heapOf('a delegation with one open mandate', () => delegation.loaded(1)),
      heapOf('a flight with 150 orders', () => flight.loaded(150)),
    ],
    ['each', 'all'],
  );
  printTable('An order and its booking on the disk', await diskRows(), ['bytes', 'one a second, a year']);
};
