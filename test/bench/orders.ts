import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Libsql from 'libsql';
import { EmbeddedEventStore } from '#event-store';
import { appends, IN_FLIGHT, through } from './appends.js';
import { BUYERS, type Buyers, openBuyers, type Round } from './buyers.js';
import { aimed, perSecond, quantile, ratioOf, spread, timed } from './numbers.js';
import { cpuOf, startServer, withFolder } from './server.js';
import { printTable, type Row } from './table.js';
import { withTree } from './tree.js';

const ROUNDS = 5;
const ORDERS = 1_000;
/** Orders of each kind until a service has compiled what it runs again and again. */
const WARM_UP = 2_000;
/** For how long (ms) all is left alone after a turn, so that read models and sealing end in it. */
const REST = 1_100;
const APPENDED = 10_000;
/** Of the port's own append, the share that orders are to reach. */
const SHARE = 0.35;

const KINDS = {
  bookings: 'POST /bookings',
  own: 'POST /orders, a mandate for each buyer',
  one: 'POST /orders, one mandate for all',
} as const;
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as readonly Kind[];

class Side {
  readonly rounds: Record<Kind, Round[]> = { bookings: [], own: [], one: [] };
  /** Milliseconds of CPU that an order takes with its booking, all threads, until all is done. */
  readonly cpu: number[] = [];
  /** Events a second that orders with a mandate each left in the log. */
  readonly written: number[] = [];

  private constructor(
    private readonly buyers: Buyers,
    private readonly pid: number,
    private readonly events: () => number,
  ) {}

  static async open(origin: string, pid: number, folder: string): Promise<Side> {
    const log = new Libsql(join(folder, 'events.db'), { readonly: true });
    const last = log.prepare('SELECT max(position) FROM events').pluck();
    const side = new Side(await openBuyers(origin), pid, () => Number(last.all()[0]));
    await side.turn(WARM_UP);
    for (const figures of [...kinds.map((kind) => side.rounds[kind]), side.cpu, side.written]) figures.length = 0;
    return side;
  }

  async turn(orders = ORDERS): Promise<void> {
    const { buyers, rounds } = this;
    const spent = cpuOf(this.pid);
    const booked = await buyers.book(2 * orders);
    const before = this.events();
    const own = await buyers.order(booked.bookings.slice(0, orders), buyers.own);
    this.written.push(((this.events() - before) * own.perSecond) / orders);
    const one = await buyers.order(booked.bookings.slice(orders), buyers.one);
    await sleep(REST);
    this.cpu.push((cpuOf(this.pid) - spent) / (2 * orders));
    rounds.bookings.push(booked);
    rounds.own.push(own);
    rounds.one.push(one);
  }

  perSecond(kind: Kind): readonly number[] {
    return this.rounds[kind].map((round) => round.perSecond);
  }

  times(kind: Kind): readonly number[] {
    return this.rounds[kind].flatMap((round) => round.times);
  }
}

const TITLE = `${BUYERS} buyers at once, ${ROUNDS} rounds of ${ORDERS} orders`;

/** Bookings and orders a second, and the log's share of the latter. */
const alone = (): Promise<void> =>
  withFolder((portFolder) =>
    withFolder(async (folder) => {
      const server = await startServer(folder);
      const side = await Side.open(server.origin, server.pid, folder);
      const port = await EmbeddedEventStore.open({ file: join(portFolder, 'events.db') });
      await appends(APPENDED, through(port));
      const byPort: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await side.turn();
        byPort.push(perSecond(APPENDED, await timed(() => appends(APPENDED, through(port)))));
      }
      await port.close();
      await server.stop();
      const row = (kind: Kind): Row => {
        const ms = (share: number) => `${quantile(side.times(kind), share).toFixed(0)} ms`;
        return [KINDS[kind], `${spread(side.perSecond(kind))}/s`, ms(0.5), ms(0.99)];
      };
      printTable(`${TITLE}: median (least to most)`, kinds.map(row), ['a second', 'median', '99 %']);
      printTable('The log’s share of orders with a mandate each: events a second', [
        ['appended by orders', spread(side.written)],
        [`the port’s own append, ${IN_FLIGHT} in flight`, spread(byPort)],
        ['the former, of the latter', aimed(ratioOf(side.written, byPort), SHARE)],
      ]);
    }),
  );

/** Another commit, or this one with other variables, and this one by turns, under the same load from this process. */
const byTurns = (other: string, environment: Readonly<Record<string, string>>, tree?: string): Promise<void> =>
  withFolder((theirFolder) =>
    withFolder(async (ourFolder) => {
      const servers = [await startServer(theirFolder, environment, tree), await startServer(ourFolder)] as const;
      const theirs = await Side.open(servers[0].origin, servers[0].pid, theirFolder);
      const ours = await Side.open(servers[1].origin, servers[1].pid, ourFolder);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const side of round % 2 === 0 ? [theirs, ours] : [ours, theirs]) await side.turn();
      for (const server of servers) await server.stop();
      const row = (what: string, digits: number, of: (side: Side) => readonly number[]): Row => {
        const [their, our] = [of(theirs), of(ours)];
        return [what, spread(their, digits), spread(our, digits), `${ratioOf(our, their).toFixed(3)} ×`];
      };
      printTable(
        `${other} and this commit by turns; ${TITLE}: median (least to most)`,
        [
          ...kinds.map((kind) => row(`${KINDS[kind]}, a second`, 0, (side) => side.perSecond(kind))),
          row('CPU of an order with its booking, all threads: ms', 2, ({ cpu }) => cpu),
        ],
        [other, 'this commit', 'ratio'],
      );
    }),
  );

/** Bookings and orders: alone, or by turns with a commit, or with this one under another variable (`NAME=value`). */
export const orders = (other = ''): Promise<void> => {
  const [name = '', value] = other.split(/=(.*)/s);
  if (other === '') return alone();
  return value === undefined ? withTree(other, (tree) => byTurns(other, {}, tree)) : byTurns(other, { [name]: value });
};
