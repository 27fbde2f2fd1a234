import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUYERS, type Buyers, openBuyers } from './buyers.js';
import { ratioOf, spread } from './numbers.js';
import { startServer, withFolder } from './server.js';
import { printTable } from './table.js';

const ROUNDS = 21;
const ORDERS = 1_000;
const WARM_UP = 1_200;
/** For how long (ms) a service is left alone after a turn: what the last orders left is sealed in it. */
const REST = 1_100;

/** Milliseconds of CPU that a process has used so far, all its threads together. */
const cpuOf = (pid: number): number => {
  const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10; // Linux counts hundredths of a second
};

interface Figures {
  readonly perSecond: number[];
  /** Milliseconds of CPU an order takes with its booking, until all is sealed. */
  readonly cpu: number[];
}
const none = (): Figures => ({ perSecond: [], cpu: [] });

const turn = async (buyers: Buyers, pid: number, orders: number, figures: Figures): Promise<void> => {
  const before = cpuOf(pid);
  const { bookings } = await buyers.book(orders);
  figures.perSecond.push((await buyers.order(bookings, buyers.own)).perSecond);
  await sleep(REST);
  figures.cpu.push((cpuOf(pid) - before) / orders);
};

/** What sealing costs orders: the same service sealing once a second and never, by turns. */
export const tlog = (): Promise<void> =>
  withFolder((sealedFolder) =>
    withFolder(async (plainFolder) => {
      const sealed = await startServer(sealedFolder);
      const plain = await startServer(plainFolder, { TLOG_INTERVAL: '86400' });
      const subjects = [
        { ...sealed, buyers: await openBuyers(sealed.origin), figures: none() },
        { ...plain, buyers: await openBuyers(plain.origin), figures: none() },
      ] as const;
      try {
        for (const { buyers, pid } of subjects) await turn(buyers, pid, WARM_UP, none());
        for (let round = 0; round < ROUNDS; round += 1) {
          const inTurn = round % 2 === 0 ? subjects : [...subjects].reverse();
          for (const { buyers, pid, figures } of inTurn) await turn(buyers, pid, ORDERS, figures);
        }
      } finally {
        for (const { stop } of subjects) await stop();
      }
      const [{ figures: withIt }, { figures: without }] = subjects;
      printTable(
        `Sealing once a second against never, by turns, ${ROUNDS} rounds of ${ORDERS} orders, ${BUYERS} at once, median (least to most)`,
        [
          [
            'POST /orders, a mandate for each buyer, a second',
            spread(withIt.perSecond),
            spread(without.perSecond),
            `${ratioOf(withIt.perSecond, without.perSecond).toFixed(3)} ×`,
          ],
          [
            'CPU of an order with its booking, all threads, ms',
            spread(withIt.cpu, 2),
            spread(without.cpu, 2),
            `${ratioOf(withIt.cpu, without.cpu).toFixed(3)} ×`,
          ],
        ],
        ['sealed', 'not', 'ratio'],
      );
    }),
  );
