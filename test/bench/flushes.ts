import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GOOD_CARD } from '../support/purchase.js';
import { type Buyers, openBuyers } from './buyers.js';
import { quantile } from './numbers.js';
import { startServer, withEmptyFolder, withFolder } from './server.js';
import { printTable, type Row } from './table.js';

/** One system call of a traced process. Times: seconds since 1970. */
interface Call {
  readonly name: string;
  /** The file it is about, or what strace says of its socket. */
  readonly file: string;
  /** Its arguments, shortened. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LINE = /^(?<thread>\d+)\s+(?<time>\d+\.\d+) (?<rest>.*)$/;
const BEGUN = /^(?<name>\w+)\(\d+<(?<file>[^>]*)>(?<text>.*)$/;
const RESUMED = /^<\.\.\. \w+ resumed>/;

/** The calls in the output of `strace -f -y -ttt -T`, by their beginning. */
const readTrace = (output: string): readonly Call[] => {
  const calls: Call[] = [];
  const unfinished = new Map<string, Omit<Call, 'end'>>();
  for (const line of output.split('\n')) {
    const { thread = '', time = '0', rest = '' } = LINE.exec(line)?.groups ?? {};
    const now = Number(time);
    const begun = BEGUN.exec(rest)?.groups;
    if (begun) {
      const call = { name: begun['name'] ?? '', file: begun['file'] ?? '', text: begun['text'] ?? '', start: now };
      if (rest.endsWith('<unfinished ...>')) unfinished.set(thread, call);
      else calls.push({ ...call, end: now + took(rest) });
    } else if (RESUMED.test(rest)) {
      const call = unfinished.get(thread);
      if (call) calls.push({ ...call, end: now });
      unfinished.delete(thread);
    }
  }
  return calls.sort((one, other) => one.start - other.start);
};

/** What `strace -T` says a call took, in seconds. */
const took = (rest: string): number => Number(/<(\d+\.\d+)>$/.exec(rest)?.[1] ?? 0);

const ORDERS = 100;
const WARM_UP = 20;
/** How long (ms) the service is left alone before an order, so that nothing of the one before is under way. */
const REST = 20;
/** Files that an answer may rest on. Read models are rebuilt from the log. */
const DURABLE = /\/(events|documents)\.db(-wal)?$/;
const AIMS = { without: 5, with: 7 } as const;

/** What the trace says of one order: what it waited for, one after the other, and whether it was answered too early. */
interface Traced {
  readonly flushes: readonly Call[];
  readonly waits: number;
  readonly isEarly: boolean;
}

/** Flushes side by side are one wait. */
const waitsOf = (flushes: readonly Call[]): number => {
  let [waits, until] = [0, 0];
  for (const { start, end } of flushes) {
    if (start >= until) waits += 1;
    until = Math.max(until, end);
  }
  return waits;
};

/** Whether something was written to a file before the answer and not flushed between the two. */
const isUnflushed = (calls: readonly Call[], answer: Call): boolean =>
  calls.some(
    (written) =>
      written.name === 'pwrite64' &&
      DURABLE.test(written.file) &&
      written.file.endsWith('-wal') &&
      written.end <= answer.start &&
      !calls.some(
        (flush) =>
          isFlush(flush) && flush.file === written.file && flush.start >= written.end && flush.end <= answer.start,
      ),
  );

const isFlush = ({ name, file }: Call): boolean => /^f(data)?sync$/.test(name) && DURABLE.test(file);

/** Orders one at a time; returns when each was sent, in seconds since 1970, as the trace has it. */
const orderOneByOne = async ({ api, book, own }: Buyers, hasKey: boolean): Promise<readonly number[]> => {
  const sent: number[] = [];
  for (const { id: bookingId } of (await book(ORDERS)).bookings) {
    await new Promise((done) => setTimeout(done, REST));
    sent.push(Date.now() / 1_000);
    const body = { bookingId, mandateId: own(0).id, payment: GOOD_CARD };
    const key: Readonly<Record<string, string>> = hasKey ? { 'idempotency-key': `chave-${bookingId}` } : {};
    const { status } = await api.call('POST', '/orders', body, key);
    if (status !== 201) throw new Error(`an order was answered ${status}`);
  }
  return sent;
};

const tracedOrders = (calls: readonly Call[], sent: readonly number[]): readonly Traced[] =>
  sent.map((from) => {
    const answer = calls.find(({ start, text }) => start > from && text.includes('HTTP/1.1 201'));
    if (!answer) throw new Error('the trace has no answer to an order');
    const during = calls.filter(({ start }) => start > from && start <= answer.start);
    const flushes = during.filter(isFlush);
    return { flushes, waits: waitsOf(flushes), isEarly: isUnflushed(during, answer) };
  });

const row = (what: string, orders: readonly Traced[], aim: number): Row => {
  const waits = orders.map((order) => order.waits);
  const most = quantile(waits, 0.5);
  const perOrder = (file: string) =>
    quantile(
      orders.map(({ flushes }) => flushes.filter((flush) => flush.file.includes(file)).length),
      0.5,
    );
  const early = orders.filter(({ isEarly }) => isEarly).length;
  return [
    what,
    `${most} (${Math.min(...waits)} to ${Math.max(...waits)}; ${most <= aim ? 'within' : 'OVER'} the ${aim} aimed at)`,
    `${perOrder('events.db')} + ${perOrder('documents.db')}`,
    `${early} of ${orders.length}`,
  ];
};

/** Waits for the disk on the way of an order, as the kernel sees them, and answers that came before their flush. */
export const flushes = (): Promise<void> =>
  withFolder((folder) =>
    withEmptyFolder(async (traces) => {
      const server = await startServer(folder, { AGENT_TRAFFIC: 'off' });
      const buyers = await openBuyers(server.origin);
      await buyers.order((await buyers.book(WARM_UP)).bookings, buyers.own);
      const file = join(traces, 'trace');
      const calls = 'fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg';
      const strace = spawn('strace', [
        '-f',
        '-y',
        '-ttt',
        '-T',
        '-s',
        '24',
        '-e',
        `trace=${calls}`,
        '-o',
        file,
        '-p',
        String(server.pid),
      ]);
      const isAttached = await Promise.race([
        once(strace.stderr, 'data').then(() => true),
        once(strace, 'error').then(() => false),
      ]);
      if (isAttached) {
        const without = await orderOneByOne(buyers, false);
        const keyed = await orderOneByOne(buyers, true);
        strace.kill('SIGINT');
        await once(strace, 'exit');
        const trace = readTrace(await readFile(file, 'utf8'));
        printTable(
          `Waits for the disk of one order at a time, ${ORDERS} of each: median (least to most)`,
          [
            row('without Idempotency-Key', tracedOrders(trace, without), AIMS.without),
            row('with one', tracedOrders(trace, keyed), AIMS.with),
          ],
          ['waits', 'flushes, log + documents', 'answered before a flush'],
        );
      } else console.log('No trace of flushes: strace is not there.');
      await server.stop();
    }),
  );
