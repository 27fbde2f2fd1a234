import { setTimeout as sleep } from 'node:timers/promises';
import { type Buyers, openBuyers } from './buyers.js';
import { aimed, median, ratioOf, spread } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable, type Row } from './table.js';
import { withTree } from './tree.js';

const ROUNDS = 5;
/** Orders of each kind in a round; twice as many bookings are made for them. */
const ORDERS = 600;
/** Orders of each kind until both have compiled what they run again and again: on the first 4,000 a new process spends a fifth on that. */
const WARM_UP = 2_000;
/** For how long (ms) both are left alone after a turn: what follows the answers, such as read models, ends in it. */
const REST = 500;

/** What is timed, and how many times the other commit's figure is aimed at. */
const AIMS = { bookings: 3, own: 2.2, one: 5 } as const;
/** Orders on one mandate, of those with a mandate each. */
const ONE_TO_OWN = 0.8;

type Figures = Record<keyof typeof AIMS, number[]>;
const none = (): Figures => ({ bookings: [], own: [], one: [] });

/** One turn of a service: bookings, orders with a mandate each, orders on one mandate. */
const turn = async (buyers: Buyers, orders: number, figures: Figures): Promise<void> => {
  const { perSecond, bookings } = await buyers.book(2 * orders);
  figures.bookings.push(perSecond);
  figures.own.push((await buyers.order(bookings.slice(0, orders), buyers.own)).perSecond);
  figures.one.push((await buyers.order(bookings.slice(orders), buyers.one)).perSecond);
  await sleep(REST);
};

/** This commit and another one by turns, under the same load from this process. */
export const against = (commit = ''): Promise<void> => {
  if (commit === '') throw new Error('npm run bench -- against <commit>');
  return withTree(commit, (tree) =>
    withFolder((oldFolder) =>
      withFolder(async (newFolder) => {
        const old = await startServer(oldFolder, {}, tree);
        const young = await startServer(newFolder);
        const [theirs, ours] = [none(), none()];
        const [before, now] = [await openBuyers(old.origin), await openBuyers(young.origin)];
        for (const buyers of [before, now]) await turn(buyers, WARM_UP, none());
        for (let round = 0; round < ROUNDS; round += 1) {
          const inTurn = [() => turn(before, ORDERS, theirs), () => turn(now, ORDERS, ours)];
          for (const one of round % 2 === 0 ? inTurn : inTurn.reverse()) await one();
        }
        await old.stop();
        await young.stop();
        print(commit, theirs, ours);
      }),
    ),
  );
};

const print = (commit: string, theirs: Figures, ours: Figures): void => {
  const row = (what: string, kind: keyof typeof AIMS): Row => {
    const ratio = aimed(ratioOf(ours[kind], theirs[kind]), AIMS[kind]);
    return [what, `${spread(theirs[kind])}/s`, `${spread(ours[kind])}/s`, ratio];
  };
  const share = median(ours.one) / median(ours.own);
  printTable(
    `Commit ${commit} and this one by turns, ${ROUNDS} rounds of ${ORDERS} orders, 64 at once, median (least to most)`,
    [
      row('POST /bookings', 'bookings'),
      row('POST /orders, a mandate for each buyer', 'own'),
      row('POST /orders, one mandate for all', 'one'),
      ['one mandate, of a mandate each', '', '', aimed(share, ONE_TO_OWN)],
    ],
    [commit, 'this one', 'ratio'],
  );
};
