import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '#testing';
import { batches, withIdleness } from './batches.js';

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

describe('withIdleness', () => {
  /** What it yields of a source on a clock that passes its own pauses. */
  const yielded = async (source: (clock: ManualClock) => AsyncIterable<number>) => {
    const clock = new ManualClock();
    const found: (number | null)[] = [];
    for await (const item of withIdleness(source(clock), 20, clock)) found.push(item);
    return found;
  };

  /** Lets a pause pass, with time for whoever waits to begin to. */
  const pass = async (clock: ManualClock, milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 10) {
      await nextTurn();
      clock.advance(10);
    }
    await nextTurn();
  };

  it('reports each pause once, after an item, and not the wait for the first', async () => {
    const source = async function* (clock: ManualClock) {
      await pass(clock, 60);
      yield 1;
      yield 2;
      await pass(clock, 120);
      yield 3;
    };
    expect(await yielded(source)).toEqual([1, 2, null, 3]);
  });

  it('ends with the error of its source, also in a pause', async () => {
    const source = async function* (clock: ManualClock) {
      yield 1;
      await pass(clock, 60);
      throw new Error('broken');
    };
    await expect(yielded(source)).rejects.toThrow('broken');
  });
});
