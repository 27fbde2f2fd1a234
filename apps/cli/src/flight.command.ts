import type { Command } from 'commander';
import { isDate } from '#catalog';
import type { CancelledFlight } from '#runtime';
import { amount } from './audit/format.js';
import { type Cli, json, type JsonOption, type Line, operated, report, withStoresToRead } from './command-line.js';

/** The longest reason that is written down. */
const LONGEST = 200;

const lines = ({ reason, orders, openCases }: CancelledFlight): readonly Line[] => [
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
        // Before anything is made: who mistypes the folder makes none.
        await withStoresToRead(await config(), () => Promise.resolve());
        const done = await operated(cli, 'flight cancel', { flightNumber, date, reason: words });
        write(options.json ? json(done) : report(`Cancelled: ${done.flightNumber} on ${date}`, lines(done)));
        if (done.unfinished.length === 0) return;
        const why = done.unfinished.map((one) => `  order ${one.orderId}: ${one.why}\n`).join('');
        throw new Error(`orders not at an end: ${done.unfinished.length}; run it again.\n${why}`);
      },
    );
};
