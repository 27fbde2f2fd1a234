import { KeyedMutex, lazily, TimeSlices } from './in-process.js';
import { SystemClock } from './time-and-ids.port.js';

const pending = () => {
  let end: (result: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { work: () => work, end, fail };
};

describe('KeyedMutex', () => {
  it('runs work under one name in the order taken', async () => {
    const turns = new KeyedMutex();
    const order: string[] = [];
    const first = pending();
    const one = turns.take('a', async () => order.push(await first.work()));
    const two = turns.take('a', () => Promise.resolve(order.push('two')));
    const three = turns.take('a', () => Promise.resolve(order.push('three')));
    first.end('one');
    await Promise.all([one, two, three]);
    expect(order).toEqual(['one', 'two', 'three']);
  });

  it('does not let one name wait for another', async () => {
    const turns = new KeyedMutex();
    const first = pending();
    const held = turns.take('a', first.work);
    expect(await turns.take('b', () => Promise.resolve('b'))).toBe('b');
    first.end('a');
    expect(await held).toBe('a');
  });

  it('goes on after work that failed, whose error reaches its own caller alone', async () => {
    const turns = new KeyedMutex();
    const first = pending();
    const failed = turns.take('a', first.work);
    const next = turns.take('a', () => Promise.resolve('next'));
    first.fail(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});

describe('what is made lazily', () => {
  it('is made when it is first asked for, and once for all who ask at the same moment', async () => {
    let made = 0;
    const get = lazily(() => Promise.resolve({ number: (made += 1) }));
    expect(made).toBe(0);
    const [one, other] = await Promise.all([get(), get()]);
    expect(one).toBe(other);
    expect(await get()).toBe(one);
    expect(made).toBe(1);
  });

  it('is made again after a failure, which everybody who waited for it is told', async () => {
    let tries = 0;
    const get = lazily(() => ((tries += 1) === 1 ? Promise.reject(new Error('first')) : Promise.resolve(tries)));
    const both = await Promise.allSettled([get(), get()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get()).toBe(2);
  });
});

/** A clock on which only work takes time. */
class WorkingClock extends SystemClock {
  worked = 0;

  override monotonic(): number {
    return this.worked;
  }
}

/** Runs pieces of 1 ms of work, by several at once; returns how many of them ran in each turn of the event loop. */
const piecesByTurn = async (workers: number, pieces: number): Promise<readonly number[]> => {
  const clock = new WorkingClock();
  const slices = new TimeSlices(clock, 4);
  const turns = [0];
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    turns.push(0);
    setImmediate(turn);
  };
  setImmediate(turn);
  const work = async () => {
    for (let piece = 0; piece < pieces; piece += 1) {
      while (slices.isOver()) await slices.next();
      clock.worked += 1;
      turns.push((turns.pop() ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  isOver = true;
  return turns.filter((count) => count > 0);
};

describe('time slices', () => {
  it('let everything else run whenever one of them is used up', async () => {
    expect(await piecesByTurn(1, 12)).toEqual([4, 4, 4]);
  });

  it('are shared by all who work at once: together they hold the loop no longer than one alone', async () => {
    const turns = await piecesByTurn(20, 3);
    expect(turns).toEqual(Array.from({ length: 15 }, () => 4));
  });
});
