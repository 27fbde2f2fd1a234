import type { Command } from 'commander';
import { flightOnDate, isDate } from '#catalog';
import type { Config } from '#config';
import { type Context, newCause, SYSTEM } from '#kernel';
import { cancelFlight, type EndOfOrder } from '#order';
import { checkoutsOf, createLogger, dependenciesOn, progressLine } from '#runtime';
import { amount } from './audit/format.js';
import { type Cli, json, type JsonOption, type Line, report, withStores, withStoresToRead } from './command-line.js';

/** The longest reason that is written down. */
const LONGEST = 200;

interface Cancelled {
  readonly flightNumber: string;
  readonly date: string;
  readonly reason: string;
  /** How many orders came to each end. */
  readonly orders: Record<EndOfOrder, number>;
  /** Orders whose card takes no refund: somebody has to give the money back otherwise. */
  readonly openCases: {
    readonly orderId: string;
    readonly amount: { readonly amount: number; readonly currency: string };
  }[];
  /** Orders that another run has to bring to an end, and why this one could not. */
  readonly unfinished: { readonly orderId: string; readonly why: string }[];
}

const cancel = async (
  named: { readonly flightNumber: string; readonly date: string; readonly reason: string },
  config: Config,
  { stderr }: Cli,
): Promise<Cancelled> => {
  // Before anything is made: who mistypes the folder makes none.
  await withStoresToRead(config, () => Promise.resolve());
  return withStores(config, async (ports) => {
    const dependencies = await dependenciesOn(ports, config, createLogger('silent'));
    const { aggregates, ids } = dependencies;
    const flight = await flightOnDate(aggregates, named);
    if (!flight) throw new Error(`no flight ${named.flightNumber} leaves on ${named.date}`);
    const checkouts = checkoutsOf(dependencies);
    const context: Context = { actor: SYSTEM, ...newCause(ids) };
    const show = progressLine('Orders brought to an end', stderr);
    const done: Cancelled = {
      ...named,
      flightNumber: flight.flightNumber,
      orders: { refunded: 0, cancelled: 0, failed: 0, refund_failed: 0 },
      openCases: [],
      unfinished: [],
    };
    let count = 0;
    for await (const { orderId, total, found } of cancelFlight({ checkouts, ids }, flight, named.reason, context)) {
      if (found instanceof Error) done.unfinished.push({ orderId, why: found.message });
      else {
        done.orders[found.end] += 1;
        if (found.end === 'refund_failed') done.openCases.push({ orderId, amount: found.order.checkout.total });
      }
      show((count += 1) / total);
    }
    return done;
  });
};

const lines = ({ reason, orders, openCases }: Cancelled): readonly Line[] => [
  ['reason', reason],
  ['orders refunded', `${orders.refunded}, whole`],
  ['cancelled before', `${orders.cancelled}, as they were quoted`],
  ['ended uncharged', `${orders.failed}`],
  ...openCases.map((open): Line => [
    'OPEN CASE',
    `order ${open.orderId}: the card does not take ${amount(open.amount)} back`,
  ]),
];

/** `alcada flight`: what the airline does with a flight that is on sale. */
export const defineFlight = (flight: Command, cli: Cli): void => {
  const { config, write } = cli;
  flight
    .command('cancel')
    .description('cancel a flight: nothing of it is sold any more, and what was paid for it is given back whole')
    .argument('<number>', 'the flight number')
    .argument('<date>', 'the local date of departure, YYYY-MM-DD')
    .requiredOption('--reason <text>', 'why, for operators and auditors: it stays in the log and names nobody')
    .addHelpText(
      'after',
      `
Orders under way are ended uncharged, paid ones refunded without a fee. Interrupted, it is finished by running it
again, which lists every time the orders whose card takes no refund: those are yours to settle. It cannot be undone.`,
    )
    .action(
      async (flightNumber: string, date: string, { reason, ...options }: JsonOption & { readonly reason: string }) => {
        if (!isDate(date)) throw new Error(`${date} is no date, YYYY-MM-DD`);
        const words = reason.trim();
        if (words === '' || words.length > LONGEST || /\p{C}/u.test(words))
          throw new Error(`the reason is a line of 1 to ${LONGEST} characters`);
        const done = await cancel({ flightNumber, date, reason: words }, await config(), cli);
        write(options.json ? json(done) : report(`Cancelled: ${done.flightNumber} on ${date}`, lines(done)));
        if (done.unfinished.length === 0) return;
        const why = done.unfinished.map((one) => `  order ${one.orderId}: ${one.why}\n`).join('');
        throw new Error(`orders not at an end: ${done.unfinished.length}; run it again.\n${why}`);
      },
    );
};
