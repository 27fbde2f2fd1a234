import { KeyedMutex } from './keyed-mutex.js';

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
