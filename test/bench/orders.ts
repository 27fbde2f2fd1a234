import { join } from 'node:path';
import Libsql from 'libsql';
import { EmbeddedEventStore } from '#event-store';
import { appends, IN_FLIGHT, through } from './appends.js';
import { BUYERS, type Buyers, openBuyers, type Round } from './buyers.js';
import { aimed, perSecond, quantile, ratioOf, spread, timed } from './numbers.js';
import { startOnServers, startServer, withFolder } from './server.js';
import { printTable, type Row } from './table.js';

const ROUNDS = 5;
const ORDERS = 1_000;
/** Orders of each kind until a service has compiled what it runs again and again (see against.ts); on servers that is not what counts. */
const WARM_UP = { embedded: 2_000, servers: 600 };
/** Events that the port appends in a round. */
const APPENDED = 10_000;
/** Of the port's own append, the share that orders are to reach. */
const SHARE = 0.35;

type Rounds = Readonly<Record<'bookings' | 'own' | 'one', Round[]>>;

/** One turn of a service; answers how many events a second the orders with a mandate each left in the log. */
const turn = async (buyers: Buyers, orders: number, rounds: Rounds, events: () => number): Promise<number> => {
  const booked = await buyers.book(2 * orders);
  const before = events();
  const own = await buyers.order(booked.bookings.slice(0, orders), buyers.own);
  const written = events() - before;
  const one = await buyers.order(booked.bookings.slice(orders), buyers.one);
  for (const [kind, round] of [
    ['bookings', booked],
    ['own', own],
    ['one', one],
  ] as const)
    rounds[kind].push(round);
  return (written * own.perSecond) / orders;
};

/** How many events an embedded log has, asked beside the service that writes to it. */
const eventsIn = (folder: string): (() => number) => {
  const log = new Libsql(join(folder, 'events.db'), { readonly: true });
  const last = log.prepare('SELECT max(position) FROM events').pluck();
  return () => Number(last.all()[0]);
};

const none = (): Rounds => ({ bookings: [], own: [], one: [] });

const row = (what: string, rounds: readonly Round[]): Row => {
  const times = rounds.flatMap((round) => round.times);
  const ms = (share: number) => `${quantile(times, share).toFixed(0)} ms`;
  return [what, `${spread(rounds.map((round) => round.perSecond))}/s`, ms(0.5), ms(0.99)];
};

const rows = (where: string, { bookings, own, one }: Rounds): readonly Row[] => [
  row(`POST /bookings, ${where}`, bookings),
  row(`POST /orders, a mandate for each buyer, ${where}`, own),
  row(`POST /orders, one mandate for all, ${where}`, one),
];

/** Bookings and orders a second, embedded and on servers where they are given, and the log's share of the former. */
export const orders = (): Promise<void> =>
  withFolder((portFolder) =>
    withFolder((serversFolder) =>
      withFolder(async (folder) => {
        const embedded = await startServer(folder);
        const servers = await startOnServers(serversFolder);
        const port = await EmbeddedEventStore.open({ file: join(portFolder, 'events.db') });
        const events = eventsIn(folder);
        const buyers = await openBuyers(embedded.origin);
        const others = servers && (await openBuyers(servers.apis[0]?.origin ?? ''));
        const [here, there] = [none(), none()];
        const [byOrders, byPort]: [number[], number[]] = [[], []];

        await turn(buyers, WARM_UP.embedded, none(), events);
        if (others) await turn(others, WARM_UP.servers, none(), () => 0);
        await appends(APPENDED, through(port));
        for (let round = 0; round < ROUNDS; round += 1) {
          byOrders.push(await turn(buyers, ORDERS, here, events));
          byPort.push(perSecond(APPENDED, await timed(() => appends(APPENDED, through(port)))));
          if (others) await turn(others, ORDERS, there, () => 0);
        }
        await port.close();
        await embedded.stop();
        await servers?.stop();

        printTable(
          `${BUYERS} buyers at once, ${ROUNDS} rounds of ${ORDERS} orders: median (least to most)`,
          [...rows('embedded', here), ...(others ? rows('servers', there) : [])],
          ['a second', 'median', '99 %'],
        );
        printTable(`The log’s share of orders with a mandate each: events a second`, [
          ['appended by orders', spread(byOrders)],
          [`the port’s own append, ${IN_FLIGHT} in flight`, spread(byPort)],
          ['the former, of the latter', aimed(ratioOf(byOrders, byPort), SHARE)],
        ]);
        if (!others) console.log('Not on servers: EVENTSTORE_URL and MONGODB_URL are not both set.');
      }),
    ),
  );
