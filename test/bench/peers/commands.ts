import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { EmbeddedEventStore, type EventToAppend } from '#event-store';
import { appends, IN_FLIGHT, through } from '../appends.js';
import { mandatesIn } from '../mandate-commands.js';
import { perSecond, ratioOf, side, spread, timed } from '../numbers.js';
import { withPackages } from '../packages.js';
import { withEmptyFolder } from '../server.js';
import { printTable, type Row } from '../table.js';
import { startInstalled } from './program.js';
import { built } from '../../support/built.js';

const EMMETT = { '@event-driven-io/emmett': '0.38.5', '@event-driven-io/emmett-sqlite': '0.38.5', sqlite3: '5.1.7' };
const ROUNDS = 5;
const AT_ONCE = 64;
/** Charges of a round, ours and Emmett's, and of its one try at 64 at once. */
const [OURS, EMMETTS, EMMETTS_AT_ONCE] = [4_000, 128, 64];
const APPENDED = 10_000;

/** Reserve and Consume a second through `Aggregates.handle` on a durable embedded log: alone, apart and on one mandate. */
const ours = async (log: EmbeddedEventStore) => {
  const { grant, charge } = mandatesIn(log);
  const own = await Promise.all(Array.from({ length: AT_ONCE }, grant));
  const [first = ''] = own;
  const charged = async (count: number, buyers: number, mandateOf: (place: number) => string): Promise<number> => {
    const places = Array.from({ length: count }, (_, place) => place);
    return perSecond(count, await timed(() => side(buyers, places, (place) => charge(mandateOf(place)))));
  };
  return {
    alone: await charged(OURS / 4, 1, () => first),
    apart: await charged(OURS, AT_ONCE, (place) => own[place % AT_ONCE] ?? first),
    together: await charged(OURS, AT_ONCE, () => first),
  };
};

/** Group commit with libsql and nothing around it, on this thread: the same rows in the same table, 64 a transaction. */
const rawCommits = (file: string) => {
  const db = new Libsql(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, category, type, data, metadata) VALUES (?, 0, ?, ?, ?, ?)',
  );
  let waiting: (() => void)[] = [];
  const commit = () => {
    db.exec('COMMIT');
    for (const answer of waiting) answer();
    waiting = [];
  };
  return {
    append: (stream: string, { type, data, metadata }: EventToAppend) => {
      if (waiting.length === 0) {
        db.exec('BEGIN');
        setImmediate(commit);
      }
      insert.run(stream, 'flight', type, data, metadata);
      return new Promise<void>((answer) => waiting.push(answer));
    },
    close: () => db.close(),
  };
};

type Charged = Readonly<Record<'alone' | 'apart' | 'together', number>>;
interface Said {
  readonly perSecond: number;
  /** How many failed, by their code. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Emmett's charges, each round on a file of its own. */
const emmettIn =
  (packages: string, folder: string) =>
  async (pairs: number, atOnce: number): Promise<Said> => {
    const libMandate = pathToFileURL(built('libs/mandate/src/index.js')).href;
    const program = await startInstalled(packages, 'emmett.js', [libMandate, folder, String(pairs), String(atOnce)]);
    await program.stop();
    return JSON.parse(program.said) as Said;
  };

/** The mandate's two commands beside Emmett with its SQLite store, and the log's append beside a raw group commit. */
export const commands = (): Promise<void> =>
  withPackages(EMMETT, (packages) =>
    withEmptyFolder(async (folder) => {
      const log = await EmbeddedEventStore.open({ file: join(folder, 'events.db') });
      await (await EmbeddedEventStore.open({ file: join(folder, 'raw.db') })).close(); // the same table and index
      const raw = rawCommits(join(folder, 'raw.db'));
      const emmett = emmettIn(packages, folder);
      const [mine, theirs]: [Charged[], number[]] = [[], []];
      const [port, bare]: [number[], number[]] = [[], []];
      await appends(APPENDED, through(log));
      for (let round = 0; round < ROUNDS; round += 1) {
        mine.push(await ours(log));
        theirs.push((await emmett(EMMETTS, 1)).perSecond);
        port.push(perSecond(APPENDED, await timed(() => appends(APPENDED, through(log)))));
        bare.push(perSecond(APPENDED, await timed(() => appends(APPENDED, raw.append))));
      }
      const { failures } = await emmett(EMMETTS_AT_ONCE, AT_ONCE);
      raw.close();
      await log.close();

      const row = (what: string, kind: keyof Charged, ...others: readonly string[]): Row => [
        what,
        `${spread(mine.map((round) => round[kind]))}/s`,
        ...others,
      ];
      const ratio = ratioOf(
        mine.map(({ alone }) => alone),
        theirs,
      );
      const failed = Object.entries(failures).map(([code, count]) => `${count} of ${EMMETTS_AT_ONCE} failed: ${code}`);
      printTable(
        `Reserve and Consume of a mandate, pairs a second by turns, ${ROUNDS} rounds; the same decider, each flushed`,
        [
          row('one at a time', 'alone', `${spread(theirs)}/s`, `${ratio.toFixed(0)} ×`),
          row(`${AT_ONCE} at once, a mandate each`, 'apart', failed.join(', ') || 'none failed'),
          row(`${AT_ONCE} at once on one mandate`, 'together'),
        ],
        ['Aggregates.handle', 'Emmett, SQLite', 'ratio'],
      );
      printTable(`Appends of one event, ${IN_FLIGHT} in flight, events a second by turns`, [
        ['a raw group commit, on the caller’s thread', spread(bare)],
        ['the port', spread(port)],
        ['the latter, of the former', `${ratioOf(port, bare).toFixed(2)} ×`],
      ]);
    }),
  );
