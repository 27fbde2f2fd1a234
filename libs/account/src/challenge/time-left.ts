import { type Instant, millisecondsOf } from '#kernel';

/** The time from one instant to another, rounded down, as a page shows it: `9 min 50 s`. */
export const timeLeft = (from: Instant, to: Instant): string => {
  const seconds = Math.max(0, Math.floor((millisecondsOf(to) - millisecondsOf(from)) / 1_000));
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
};
