import fc from 'fast-check';
import {
  addLatencies,
  latencyBucket,
  latencyOf,
  latencyQuantiles,
  mergeLatencies,
  serializeLatencies,
} from './latency.rule.js';

/** Latencies from ten microseconds to ten minutes, in milliseconds. */
const latency = fc.double({ min: 0.01, max: 600_000, noNaN: true });
const counted = (latencies: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const one of latencies) counts.set(latencyBucket(one), (counts.get(latencyBucket(one)) ?? 0) + 1);
  return counts;
};

describe('latencies in buckets', () => {
  it('stand for every latency within two per cent', () => {
    fc.assert(
      fc.property(latency, (exact) => Math.abs(latencyOf(latencyBucket(exact)) - exact) / exact <= 0.02),
      { numRuns: 2_000 },
    );
  });

  it('answer every quantile within two per cent of the exact one, by nearest rank', () => {
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 300 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        (all, some) => {
          const shares = [...some].sort((one, other) => one - other);
          const found = latencyQuantiles(serializeLatencies(counted(all)), shares);
          const sorted = [...all].sort((one, other) => one - other);
          for (const [place, share] of shares.entries()) {
            const exact = sorted[Math.max(0, Math.ceil(share * all.length) - 1)] ?? NaN;
            expect(Math.abs((found[place] ?? NaN) - exact) / exact).toBeLessThanOrEqual(0.02);
          }
        },
      ),
    );
  });

  it('add up to the same, in however many parts they were counted', () => {
    fc.assert(
      fc.property(fc.array(fc.array(latency, { maxLength: 40 }), { maxLength: 5 }), (parts) => {
        const together = new Map<number, number>();
        for (const part of parts) addLatencies(together, serializeLatencies(counted(part)));
        const all = serializeLatencies(counted(parts.flat()));
        expect(serializeLatencies(together)).toEqual(all);
        expect(parts.map((part) => serializeLatencies(counted(part))).reduce(mergeLatencies, [])).toEqual(all);
      }),
    );
  });

  it('have no quantile where there was no call', () => {
    expect(latencyQuantiles([], [0.5, 0.99])).toEqual([null, null]);
  });

  it('keep what never ends in the last bucket', () => {
    expect(latencyBucket(1e12)).toBe(latencyBucket(600_001));
    expect([latencyBucket(0), latencyBucket(-1)]).toEqual([0, 0]);
  });
});
