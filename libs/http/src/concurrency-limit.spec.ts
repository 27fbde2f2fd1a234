import { describe, expect, it } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.js';

/** Work that ends when the test says so, and a count of what has begun. */
const workshop = (limit: ConcurrencyLimit) => {
  const ends: (() => void)[] = [];
  return {
    begun: () => ends.length,
    endNext: async (): Promise<void> => {
      await new Promise(setImmediate); // everything that may begin has begun
      ends.shift()?.();
    },
    begin: (caller: string | null = null) => limit.run(caller, () => new Promise<void>((end) => ends.push(end))),
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

  it('goes on after work that failed', async () => {
    const limit = new ConcurrencyLimit({ running: 1, waiting: 1, perCaller: 1 });
    await expect(limit.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(limit.run('one', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
