import { swept } from '../support/sweep.js';
import { liveSeeds, type LivedSeed } from './crew.js';
import { missedBy } from './reached.js';
import { liveSeed } from './seed.js';

const SEEDS = swept({ short: 20, middle: 600, full: 100_000 });
/** The rarest thing comes up about once in fifty lives. */
const ENOUGH = 600;
/** How many are lived through here as well: the same log and ledger must come of it, byte for byte. */
const TWICE = 4;

describe('orders, challenges, consents, decisions, caps, time, recovery, crashes and faults, in any order', () => {
  it(
    `leave everything in agreement that was written and answered, in ${SEEDS} lives, the same wherever a seed is lived through`,
    async () => {
      const reached = new Map<string, number>();
      const wrong: string[] = [];
      const elsewhere = new Map<number, string | null>();
      const told = ({ seed, findings, reached: its, hash }: LivedSeed) => {
        for (const [name, count] of its) reached.set(name, (reached.get(name) ?? 0) + count);
        wrong.push(...findings.map((finding) => `npm run simulate -- --seed ${seed}: ${finding}`));
        if (seed <= TWICE) elsewhere.set(seed, hash);
      };
      await liveSeeds({ first: 1, count: SEEDS, isHashed: true }, told);
      expect(wrong).toEqual([]);
      expect(SEEDS < ENOUGH ? [] : missedBy(reached)).toEqual([]);
      expect(elsewhere.size).toBe(TWICE);
      for (const [seed, hash] of elsewhere) expect([seed, (await liveSeed(seed)).hash()]).toEqual([seed, hash]);
    },
    600_000 + SEEDS * 1_000,
  );
});
