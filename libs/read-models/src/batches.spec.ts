import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batches } from './batches.js';

/** Items by turns of the loop: what one turn has is ready together. */
async function* arriving(...turns: readonly (readonly number[])[]): AsyncGenerator<number> {
  for (const turn of turns) {
    yield* turn;
    await nextTurn();
    await nextTurn();
  }
}

const batched = async (source: AsyncIterable<number>, atMost: number) => {
  const found: (readonly number[])[] = [];
  for await (const batch of batches(source, atMost)) found.push(batch);
  return found;
};

describe('batches', () => {
  it('hold what is ready in a turn of the loop', async () => {
    expect(await batched(arriving([1, 2, 3], [], [4], [5, 6]), 100)).toEqual([[1, 2, 3], [4], [5, 6]]);
  });

  it('hold no more than they may', async () => {
    expect(await batched(arriving([1, 2, 3, 4, 5]), 2)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('are none of an empty source', async () => {
    expect(await batched(arriving(), 2)).toEqual([]);
  });

  it('end with the error of their source', async () => {
    const broken = async function* () {
      yield 1;
      await nextTurn();
      throw new Error('broken');
    };
    await expect(batched(broken(), 2)).rejects.toThrow('broken');
  });

  it('let go of their source when they are left', async () => {
    let isReleased = false;
    const source = async function* () {
      try {
        for (let n = 0; ; n += 1) {
          yield n;
          await nextTurn();
        }
      } finally {
        isReleased = true;
      }
    };
    for await (const _ of batches(source(), 1)) break;
    await nextTurn();
    await nextTurn();
    expect(isReleased).toBe(true);
  });
});
