import { BEGINNING, type Position, positionOf } from '#event-store';
import { ManualClock } from '#testing';
import { Progress } from './progress.js';

const reached = (position: Position) => ({ position, lastEvent: position, goal: BEGINNING });

describe('the progress of a read model', () => {
  it('knows for how long something is written that it does not show, to a sixteenth', () => {
    const clock = new ManualClock();
    const progress = new Progress(clock);
    const lags: number[] = [];
    for (let now = 1; now <= 5_000; now += 1) {
      clock.advance(1);
      progress.expect(positionOf(now));
      if (now > 1_000) progress.reach(reached(positionOf(now - 1_000)));
      if (now > 2_000) lags.push(progress.lag);
    }
    expect(Math.max(...lags)).toBeLessThanOrEqual(1_000);
    expect(Math.min(...lags)).toBeGreaterThan(1_000 * (1 - 1 / 8));
  });

  it('is never taken back by a checkpoint that comes late, but where another collection takes over', async () => {
    const progress = new Progress(new ManualClock());
    progress.reach(reached(positionOf(9)));
    progress.reach(reached(positionOf(4)));
    expect(progress.position).toBe(positionOf(9));
    expect(await progress.waitFor(positionOf(9), null)).toBe(true);
    progress.restart(reached(positionOf(4)));
    expect(progress.position).toBe(positionOf(4));
  });

  it('is whole once it has come to its goal, and says before how much of the way that is', () => {
    const progress = new Progress(new ManualClock());
    progress.aimAt(positionOf(8));
    expect([progress.isBuilt, progress.builtShare]).toEqual([false, 0]);
    progress.reach(reached(positionOf(2)));
    expect([progress.isBuilt, progress.builtShare]).toEqual([false, 0.25]);
    progress.reach(reached(positionOf(8)));
    expect([progress.isBuilt, progress.builtShare]).toEqual([true, 1]);
  });

  it('has no lag once it shows all that is known to be written, and none again for what it shows already', () => {
    const clock = new ManualClock();
    const progress = new Progress(clock);
    progress.expect(positionOf(7));
    clock.advance(90);
    expect(progress.lag).toBe(90);
    progress.reach(reached(positionOf(8)));
    expect(progress.lag).toBe(0);
    progress.expect(positionOf(8));
    clock.advance(90);
    expect(progress.lag).toBe(0);
  });
});
