import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { withIdleness } from './with-idleness.js';

/** Longer than a pause that counts. */
const LONG = 60;

const toldOf = async (source: AsyncIterable<number>): Promise<readonly (number | null)[]> => {
  const told: (number | null)[] = [];
  for await (const item of withIdleness(source, 20)) told.push(item);
  return told;
};

describe('a source whose pauses are told', () => {
  it('tells each pause once, after an item, and not the wait for the first', async () => {
    const source = async function* () {
      await sleep(LONG);
      yield 1;
      yield 2;
      await sleep(LONG * 2);
      yield 3;
    };
    expect(await toldOf(source())).toEqual([1, 2, null, 3]);
  });

  it('ends with the error of its source, also in a pause', async () => {
    const source = async function* () {
      yield 1;
      await sleep(LONG);
      throw new Error('broken');
    };
    await expect(toldOf(source())).rejects.toThrow('broken');
  });
});
