/** After how long (ms) since the first try the next ones follow. */
const FIRST_TRIES = [2_000, 5_000, 15_000, 30_000] as const;
/** The first pause (ms) of those after them, which doubles, and the longest. */
const [PAUSE, LONGEST] = [60_000, 3 * 3_600_000] as const;
/** For how long (ms) a delivery is tried, and an endpoint that takes nothing is kept on. */
export const PATIENCE = 3 * 86_400_000;

export interface Tried {
  /** How often, the last try included. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number;
  readonly now: number;
  /** How long (s) the receiver asks to be left alone; null: it does not say. */
  readonly retryAfter: number | null;
  /** Between 0 and 1: so that those who failed together do not come back together. */
  readonly jitter: number;
}

/** When (ms since 1970) a delivery that failed is tried again; null: never. */
export const nextTry = ({ attempts, firstAt, now, retryAfter, jitter }: Tried): number | null => {
  const early = FIRST_TRIES[attempts - 1];
  const pause = Math.min(PAUSE * 2 ** Math.min(attempts - FIRST_TRIES.length - 1, 20), LONGEST);
  const planned = early === undefined ? now + pause * (0.5 + jitter / 2) : firstAt + early;
  const next = Math.max(planned, now + (retryAfter ?? 0) * 1_000, now);
  return next - firstAt < PATIENCE ? next : null;
};
