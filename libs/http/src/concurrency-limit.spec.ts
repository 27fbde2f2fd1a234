import { ConcurrencyLimit } from './concurrency-limit.js';

const workshop = (limit: ConcurrencyLimit) => {
  const ends: (() => void)[] = [];
  return {
    begun: () => ends.length,
    endNext: async (): Promise<void> => {
      await new Promise(setImmediate); // everything that may begin has begun
      ends.shift()?.();
    },
    begin: (caller: string | null = null, part?: string) =>
      limit.run(caller, () => new Promise<void>((end) => ends.push(end)), part),
  };
};

describe('a concurrency limit', () => {
  it('runs so many pieces of work at a time, queues the next ones, and refuses the rest', async () => {
    const { begin, begun, endNext } = workshop(new ConcurrencyLimit({ running: 2, waiting: 1, perCaller: 9 }));
    const three = [begin(), begin(), begin()];
    await expect(begin()).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 });
    await new Promise(setImmediate);
    expect(begun()).toBe(2);
    for (let left = 3; left > 0; left -= 1) await endNext();
    await Promise.all(three);
    const again = begin();
    await endNext();
    await again;
  });

  it('gives no caller more than its share, so that there is room for another', async () => {
    const { begin, endNext } = workshop(new ConcurrencyLimit({ running: 1, waiting: 3, perCaller: 2 }));
    const greedy = [begin('one'), begin('one')];
    await expect(begin('one')).rejects.toMatchObject({ code: 'service_unavailable' });
    const other = begin('other');
    for (let left = 3; left > 0; left -= 1) await endNext();
    await Promise.all([...greedy, other]);
    const back = begin('one');
    await endNext();
    await back;
  });

  it('lets callers take turns, and the parts of what one of them sends', async () => {
    const limit = new ConcurrencyLimit({ running: 1, waiting: 9, perCaller: 9 });
    const done: string[] = [];
    const run = (caller: string, part: string) =>
      limit.run(caller, async () => void done.push(await Promise.resolve(caller + part)), part);
    await Promise.all([...['a1', 'a1', 'a1', 'a2', 'b1', 'b1', 'c1']].map((one) => run(one.slice(0, 1), one.slice(1))));
    expect(done).toEqual(['a1', 'a1', 'b1', 'c1', 'a2', 'b1', 'a1']);
  });

  it('has a place for who has none, as long as another has two: the youngest of those who have most is refused', async () => {
    const { begin, endNext } = workshop(new ConcurrencyLimit({ running: 1, waiting: 3, perCaller: 9 }));
    const refused = expect.objectContaining({ code: 'service_unavailable' }) as unknown;
    const [running, first, second, third] = [begin('one'), begin('one'), begin('one'), begin('one')];
    const lost = Promise.allSettled([third, second]);
    await new Promise(setImmediate);
    const other = begin('two');
    const another = begin('three');
    await expect(begin('four')).rejects.toEqual(refused);
    expect(await lost).toEqual([
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: refused },
    ]);
    for (let left = 4; left > 0; left -= 1) await endNext();
    await Promise.all([running, first, other, another]);
  });

  it('has one for another part of what a caller sends that has its share already', async () => {
    const { begin, endNext } = workshop(new ConcurrencyLimit({ running: 1, waiting: 9, perCaller: 3 }));
    const kept = [begin('one', 'ana'), begin('one', 'ana')];
    const lost = Promise.allSettled([begin('one', 'ana')]);
    await new Promise(setImmediate);
    await expect(begin('one', 'ana')).rejects.toMatchObject({ code: 'service_unavailable' });
    const other = begin('one', 'bia');
    expect(await lost).toMatchObject([{ status: 'rejected' }]);
    for (let left = 3; left > 0; left -= 1) await endNext();
    await Promise.all([...kept, other]);
  });

  it('goes on after work that failed', async () => {
    const limit = new ConcurrencyLimit({ running: 1, waiting: 1, perCaller: 1 });
    await expect(limit.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(limit.run('one', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
