import { nextTry, PATIENCE } from './retries.rule.js';

const FIRST = Date.parse('2026-01-15T12:00:00.000Z');

/** After how many seconds since the first try each follows, where each is made when it is due. */
const tries = (jitter: number): readonly number[] => {
  const seconds = [0];
  for (let now = FIRST; ;) {
    const next = nextTry({ attempts: seconds.length, firstAt: FIRST, now, retryAfter: null, jitter });
    if (next === null) return seconds;
    now = next;
    seconds.push((next - FIRST) / 1_000);
  }
};

describe('a delivery that fails', () => {
  it('is tried at 0, 2, 5, 15 and 30 seconds, and then less and less often for three days', () => {
    const [late, early] = [tries(1), tries(0)];
    expect(late.slice(0, 9)).toEqual([0, 2, 5, 15, 30, 90, 210, 450, 930]);
    expect(early.slice(4, 8)).toEqual([30, 60, 120, 240]);
    for (const all of [late, early]) {
      const last = all.at(-1) ?? 0;
      expect(last).toBeLessThan(PATIENCE / 1_000);
      expect(last).toBeGreaterThan(PATIENCE / 1_000 - 3 * 3_600);
    }
  });

  it('waits as long as its receiver asks, but is given up where that is beyond three days', () => {
    const tried = { attempts: 1, firstAt: FIRST, now: FIRST, jitter: 0.5 };
    expect(nextTry({ ...tried, retryAfter: 600 })).toBe(FIRST + 600_000);
    expect(nextTry({ ...tried, retryAfter: 1 })).toBe(FIRST + 2_000);
    expect(nextTry({ ...tried, retryAfter: 300_000 })).toBeNull();
  });

  it('is never tried in the past, though it was late', () => {
    const now = FIRST + 20_000;
    expect(nextTry({ attempts: 1, firstAt: FIRST, now, retryAfter: null, jitter: 0 })).toBe(now);
  });
});
