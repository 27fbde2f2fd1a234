import { describe, expect, it } from '@jest/globals';
import { swept } from '../support/sweep.js';
import { liveSeeds, type LivedSeed } from './crew.js';
import { missedBy } from './reached.js';
import { liveSeed } from './seed.js';

/** How many lives. */
const SEEDS = swept({ short: 100, middle: 5_000, full: 100_000 });
/** The rarest thing comes up about once in fifty lives. */
const ENOUGH = 1_000;

describe('orders, challenges, consents, decisions, caps, time, recovery, crashes and faults, in any order', () => {
  it(
    `leave everything in agreement that was written and answered, in ${SEEDS} lives`,
    async () => {
      const reached = new Map<string, number>();
      const wrong: string[] = [];
      const told = ({ seed, findings, reached: its }: LivedSeed) => {
        for (const [name, count] of its) reached.set(name, (reached.get(name) ?? 0) + count);
        wrong.push(...findings.map((finding) => `npm run simulate -- --seed ${seed}: ${finding}`));
      };
      await liveSeeds({ first: 1, count: SEEDS }, told);
      expect(wrong).toEqual([]);
      expect(SEEDS < ENOUGH ? [] : missedBy(reached)).toEqual([]);
    },
    600_000 + SEEDS * 1_000,
  );

  it('come to the same log and ledger, byte for byte, wherever a seed is lived through', async () => {
    const elsewhere = new Map<number, string | null>();
    await liveSeeds({ first: 1, count: 4, isHashed: true }, ({ seed, hash }) => elsewhere.set(seed, hash));
    for (const [seed, hash] of elsewhere) expect([seed, (await liveSeed(seed)).hash()]).toEqual([seed, hash]);
    expect(elsewhere.size).toBe(4);
  });
});
