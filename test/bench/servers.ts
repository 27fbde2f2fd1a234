import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUYERS, type Buyers, openBuyers, type Round } from './buyers.js';
import { quantile, spread } from './numbers.js';
import type { LightApi } from './light-api.js';
import { startOnServers, withFolder } from './server.js';
import { printTable, type Row } from './table.js';
import { withTree } from './tree.js';

const [ROUNDS, ORDERS, ALONE, WARM_UP] = [5, 400, 100, 2_000];
/** For how long (ms) all is left alone after a turn, so that what follows the answers ends in it. */
const REST = 1_000;

type Kind = 'own' | 'one' | 'alone' | 'ownOfBoth' | 'oneOfBoth';
/** Milliseconds of a core, by the name of a process. */
type Spent = ReadonlyMap<string, number>;

/** The process of this machine that listens on the port of an address; null: none that this one may look into. */
const listensAt = (url: string, otherwise: number): number | null => {
  const port = Number(/:(\d+)(?:[/?]|$)/.exec(url.replace(/^.*@|^\w+:\/\//, ''))?.[1] ?? otherwise);
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => local.endsWith(hex) && state === '0A')
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const holds = (pid: string): boolean => {
    try {
      const files = readdirSync(`/proc/${pid}/fd`);
      return files.some((file) => inodes.includes(readlinkSync(`/proc/${pid}/fd/${file}`)));
    } catch {
      return false; // it is somebody else's, or has ended
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name));
  return pid === undefined ? null : Number(pid);
};

/** ms of a core that a process has had, in steps of ten. */
const spentBy = (pid: number | string | null): number => {
  if (pid === null) return NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** The same for each thread of a process. */
const spentByThread = (pid: number | null): Spent => {
  const threads = pid === null ? [] : readdirSync(`/proc/${pid}/task`);
  const spent = (thread: string): readonly (readonly [string, number])[] => {
    try {
      return [[thread, spentBy(`${pid}/task/${thread}`)]];
    } catch {
      return []; // it has ended
    }
  };
  return new Map(threads.flatMap(spent));
};

/** Processes that are measured, and the one that measures. */
const PROCESSES = ['API', 'projector', 'EventStoreDB', 'MongoDB', 'who asks'] as const;

class Side {
  private readonly rounds: Record<Kind, Round[]> = { own: [], one: [], alone: [], ownOfBoth: [], oneOfBoth: [] };
  private readonly cpu: Spent[] = [];
  /** Of EventStoreDB's threads the busiest, which writes. */
  private readonly writer: number[] = [];

  /** @param tree of another commit; undefined: this one */
  constructor(private readonly tree: string | undefined) {}

  /** Its processes live for this turn alone: subscriptions of a side that has no turn would cost EventStoreDB as well. */
  turn(): Promise<void> {
    return withFolder(async (folder) => {
      const running = await startOnServers(folder, 2, this.tree);
      const { EVENTSTORE_URL = '', MONGODB_URL = '' } = process.env;
      if (!running) throw new Error('EVENTSTORE_URL and MONGODB_URL name no servers');
      const [api] = running.apis;
      const [events, documents] = [listensAt(EVENTSTORE_URL, 2113), listensAt(MONGODB_URL, 27_017)];
      const pids = [api?.pid ?? null, running.projector.pid, events, documents, process.pid];
      try {
        const buyers = await openBuyers(api?.origin ?? '');
        const apis = running.apis.map(({ origin }) => buyers.at(origin));
        await this.measure(buyers, apis, new Map(PROCESSES.map((name, place) => [name, pids[place] ?? null])));
      } finally {
        await running.stop();
      }
    });
  }

  private async measure(buyers: Buyers, apis: readonly LightApi[], pids: ReadonlyMap<string, number | null>) {
    const { rounds } = this;
    const spent = (): Spent => new Map([...pids].map(([name, pid]) => [name, spentBy(pid)]));
    const threads = (): Spent => spentByThread(pids.get('EventStoreDB') ?? null);
    await buyers.order((await buyers.book(WARM_UP)).bookings, buyers.own, BUYERS, apis);
    const bookings = [...(await buyers.book(2 * ORDERS + ALONE)).bookings];
    const ofBoth = [...(await buyers.book(2 * ORDERS, apis)).bookings];
    await sleep(REST);
    const [before, ofThreads] = [spent(), threads()];
    rounds.own.push(await buyers.order(bookings.splice(0, ORDERS), buyers.own));
    await sleep(REST);
    this.cpu.push(new Map([...spent()].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / ORDERS])));
    const had = [...threads()].map(([thread, ms]) => ms - (ofThreads.get(thread) ?? 0));
    this.writer.push(had.length > 0 ? Math.max(...had) / ORDERS : NaN);
    rounds.one.push(await buyers.order(bookings.splice(0, ORDERS), buyers.one));
    rounds.ownOfBoth.push(await buyers.order(ofBoth.splice(0, ORDERS), buyers.own, BUYERS, apis));
    rounds.oneOfBoth.push(await buyers.order(ofBoth, buyers.one, BUYERS, apis));
    rounds.alone.push(await buyers.order(bookings, buyers.own, 1));
  }

  figures(): readonly string[] {
    const ms = (kind: Kind, share: number) =>
      quantile(
        this.rounds[kind].flatMap(({ times }) => times),
        share,
      ).toFixed(1);
    const rate = (kind: Kind) => spread(this.rounds[kind].map(({ perSecond }) => perSecond));
    const cpu = PROCESSES.map((name) =>
      spread(
        this.cpu.map((spent) => spent.get(name) ?? NaN),
        2,
      ),
    );
    const all = spread(
      this.cpu.map((spent) => [...spent.values()].reduce((sum, one) => sum + one, 0)),
      2,
    );
    return [
      rate('own'),
      ms('own', 0.5),
      ms('own', 0.99),
      rate('one'),
      rate('ownOfBoth'),
      rate('oneOfBoth'),
      ms('alone', 0.5),
      ...cpu,
      all,
      spread(this.writer, 2),
    ];
  }

  names(): readonly string[] {
    const cpu = [...PROCESSES, 'all'].map((name) => `ms of a core an order: ${name}`);
    const own = `orders/s of ${BUYERS} agents, a mandate each`;
    const one = ['orders/s on one mandate', 'through two API processes: a mandate each', 'and on one mandate'];
    const writer = 'of EventStoreDB: its busiest thread';
    return [own, 'median ms', '99 % ms', ...one, 'median ms of one agent', ...cpu, writer];
  }
}

/** Orders over servers, and what each process spends on one; with another commit, by turns with that. */
export const servers = (commit?: string): Promise<void> =>
  commit === undefined ? measured([undefined]) : withTree(commit, (tree) => measured([tree, undefined], commit));

const measured = async (trees: readonly (string | undefined)[], commit = ''): Promise<void> => {
  const sides = trees.map((tree) => new Side(tree));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side.turn();
  const columns = sides.map((side) => side.figures());
  const rows = sides[0]?.names().map((what, place): Row => [what, ...columns.map((one) => one[place] ?? '')]);
  const title = `Over servers, ${ROUNDS} rounds of ${ORDERS} orders by turns: median (least to most)`;
  printTable(title, rows ?? [], sides.length > 1 ? [commit, 'this one'] : ['this one']);
};
