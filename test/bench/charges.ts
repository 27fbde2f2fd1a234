import type { Mandate } from '../support/answers.js';
import { buy, grant } from '../support/purchase.js';
import { type Buyers, openBuyers } from './buyers.js';
import { mandateCommands } from './mandate-commands.js';
import { byTurns, median, timed } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable } from './table.js';

/** Charges behind the mandate that is old, and how many pairs are compared. */
const OLD = 10_000;
const PAIRS = 300;
/** A young mandate makes its charges 6 to 15 in pairs, and then another one takes its place. */
const [YOUNG, PER_YOUNG] = [5, 10];
const ENOUGH = 10_000_000_000;
const AIM = 1.2;

const ratio = (old: readonly number[], young: readonly number[]): readonly [string, string, string] => {
  const times = median(old) / median(young);
  const verdict = times <= AIM ? 'within' : 'OVER';
  return [
    `${median(old).toFixed(2)} ms`,
    `${median(young).toFixed(2)} ms`,
    `${times.toFixed(2)} × (${verdict} the ${AIM} × aimed at)`,
  ];
};

/** Mandates with a few charges each, as many as the pairs need. */
const youngMandates = async ({ api, book }: Buyers): Promise<readonly Mandate[]> => {
  const young: Mandate[] = [];
  for (let place = 0; place < PAIRS / PER_YOUNG; place += 1) {
    const mandate = await grant(api, ENOUGH);
    for (const booking of (await book(YOUNG)).bookings) await buy(api, booking, mandate);
    young.push(mandate);
  }
  return young;
};

/** What a charge costs on a mandate with a long history against one with a short one, and after a new start. */
export const charges = (): Promise<void> =>
  withFolder(async (folder) => {
    let server = await startServer(folder);
    const buyers = await openBuyers(server.origin);
    const old = buyers.one();
    await buyers.order((await buyers.book(OLD)).bookings, buyers.one);
    const young = await youngMandates(buyers);
    const { bookings } = await buyers.book(2 * PAIRS);
    const order = async (place: number, mandate = old) => {
      const booking = bookings[place];
      if (!booking) throw new Error('no booking is left');
      await buy(buyers.api, booking, mandate);
    };
    const pairs = await byTurns(
      PAIRS,
      (pair) => order(2 * pair),
      (pair) => order(2 * pair + 1, young[Math.floor(pair / PER_YOUNG)]),
    );

    await server.stop();
    server = await startServer(folder);
    const { api, book } = await openBuyers(server.origin);
    const [last, another] = (await book(2)).bookings;
    if (!last || !another) throw new Error('no booking was made');
    const cold = await timed(() => buy(api, last, old));
    const warm = await timed(() => buy(api, another, old));
    await server.stop();

    const commands = await mandateCommands(OLD, PAIRS);
    printTable(
      `A charge on a mandate with ${OLD} behind it, against one with about 10: medians of ${PAIRS} pairs, by turns`,
      [
        ['a whole order over HTTP, one at a time', ...ratio(pairs.one, pairs.other)],
        ['the mandate’s two commands alone, no disk, 20 times', ...ratio(commands.one, commands.other)],
        ['the first order after a new start, and the next', `${cold.toFixed(0)} ms`, `${warm.toFixed(0)} ms`],
      ],
      ['old', 'young', 'ratio'],
    );
  });
