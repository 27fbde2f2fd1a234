import { median } from '../bench/numbers.js';

/** What may change over the second half of a run, of what is usual, and still be called level. */
const SHARE = 0.15;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * How a figure that is taken regularly changes over the second half of a run: the straight line that fits it best, from
 * its beginning (`first`) to its end (`last`). It is flat if that rises by no more than a share of what is usual, or
 * `room`, whichever is more. Falling is no fault.
 */
export const drift = (values: readonly number[], room: number) => {
  const half = values.slice(Math.floor(values.length / 2));
  const [middle, height] = [(half.length - 1) / 2, mean(half)];
  const spread = half.reduce((sum, _, place) => sum + (place - middle) ** 2, 0);
  const slope = half.reduce((sum, value, place) => sum + (place - middle) * (value - height), 0) / (spread || 1);
  const change = slope * (half.length - 1);
  return {
    first: height - change / 2,
    last: height + change / 2,
    most: Math.max(...values),
    change,
    isFlat: change <= Math.max(room, SHARE * median(half)),
  };
};
