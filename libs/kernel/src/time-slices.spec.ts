import { SystemClock } from './time-and-ids.port.js';
import { TimeSlices } from './time-slices.js';

/** A clock on which only work takes time. */
class WorkingClock extends SystemClock {
  worked = 0;

  override monotonic(): number {
    return this.worked;
  }
}

/** Runs pieces of 1 ms of work, by several at once; answers how many of them ran in each turn of the event loop. */
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
