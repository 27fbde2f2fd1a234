import type { Api } from '../../apps/cli/src/agent/index.js';
import { agentAt } from '../support/agent.js';
import type { Booking, Mandate } from '../support/answers.js';
import { book, buy, grant } from '../support/purchase.js';
import { tripOf } from './flights.js';
import { mandateCommands } from './mandate-commands.js';
import { byTurns, median, quantile, side, timed } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable } from './table.js';

const AGENTS = 64;
const ORDERS = 3_000;
const WARM_UP = 500;
/** Charges behind the mandate that is old, and how many pairs are compared. */
const OLD = 10_000;
const PAIRS = 300;
/** A young mandate makes its charges 6 to 15 in pairs, and then another one takes its place. */
const [YOUNG, PER_YOUNG] = [5, 10];
const ENOUGH = 10_000_000_000;
const TARGET = 1.2;

let booked = 0;
const bookOne = (api: Api): Promise<Booking> => {
  booked += 1;
  return book(api, tripOf(booked));
};
const bookings = async (api: Api, count: number): Promise<readonly Booking[]> => {
  const made: Booking[] = [];
  await side(AGENTS, Array.from({ length: count }), async () => made.push(await bookOne(api)));
  return made;
};

/** 64 agents at once, each ordering as fast as it is answered; `mandateOf`: the mandate of the n-th order. */
const throughput = async (api: Api, count: number, mandateOf: (order: number) => Mandate) => {
  const times: number[] = [];
  const orders = [...(await bookings(api, count)).entries()];
  const all = await timed(() =>
    side(AGENTS, orders, async ([place, booking]) => {
      times.push(await timed(() => buy(api, booking, mandateOf(place))));
    }),
  );
  return { perSecond: (count / all) * 1_000, times };
};

const figure = ({ perSecond, times }: Awaited<ReturnType<typeof throughput>>): string =>
  `${perSecond.toFixed(0)} orders/s   median ${median(times).toFixed(0)} ms, 99 % ${quantile(times, 0.99).toFixed(0)} ms`;

const ratio = (old: readonly number[], young: readonly number[]): string => {
  const times = median(old) / median(young);
  const verdict = times <= TARGET ? 'within' : 'OVER';
  return `${times.toFixed(2)} ×   (${median(old).toFixed(2)} ms against ${median(young).toFixed(2)} ms; ${verdict} the ${TARGET} × aimed at)`;
};

/** Orders per second, and what a charge costs on a mandate with a long history against one with a short one. */
export const orders = (): Promise<void> =>
  withFolder(async (folder) => {
    let server = await startServer(folder);
    let api = await agentAt(server.origin);
    const own = await Promise.all(Array.from({ length: AGENTS }, () => grant(api, ENOUGH)));
    const old = await grant(api, ENOUGH);
    const ownOf = (order: number) => own[order % AGENTS] ?? old;
    await throughput(api, WARM_UP, ownOf);
    const apart = await throughput(api, ORDERS, ownOf);
    const together = await throughput(api, OLD, () => old);
    printTable(`Orders over HTTP: the embedded service in a process of its own, ${AGENTS} agents in this one`, [
      ['a mandate for each agent', figure(apart)],
      ['one mandate for all of them', figure(together)],
    ]);

    const young: Mandate[] = [];
    for (let place = 0; place < PAIRS / PER_YOUNG; place += 1) {
      const mandate = await grant(api, ENOUGH);
      for (let charge = 0; charge < YOUNG; charge += 1) await buy(api, await bookOne(api), mandate);
      young.push(mandate);
    }
    const ready = await bookings(api, 2 * PAIRS);
    const order = (place: number, mandate = old) => {
      const booking = ready[place];
      if (!booking) throw new Error('no booking is left');
      return buy(api, booking, mandate);
    };
    const pairs = await byTurns(
      PAIRS,
      (pair) => order(2 * pair),
      (pair) => order(2 * pair + 1, young[Math.floor(pair / PER_YOUNG)]),
    );

    await server.stop();
    server = await startServer(folder);
    api = await agentAt(server.origin);
    const [last, another] = [await bookOne(api), await bookOne(api)];
    const cold = await timed(() => buy(api, last, old));
    const warm = await timed(() => buy(api, another, old));
    await server.stop();

    const commands = await mandateCommands(OLD, PAIRS);
    printTable(`A charge on a mandate with ${OLD} behind it, against one with about 10`, [
      ['a whole order over HTTP, one at a time', ratio(pairs.one, pairs.other)],
      ['the mandate’s two commands alone, no disk', ratio(commands.one, commands.other)],
      ['the first order after a new start', `${cold.toFixed(0)} ms (${warm.toFixed(0)} ms the next one)`],
    ]);
  });
