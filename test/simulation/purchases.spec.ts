import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { swept } from '../support/sweep.js';
import { livedThrough } from './life.js';
import { scripts } from './script.js';

/** How many lives. */
const RUNS = swept({ short: 60, middle: 1_000, full: 5_000 });

describe('orders, challenges, decisions, revocations, caps, time, recovery and crashes, in any order, on bad lines', () => {
  it(
    'leave ledger, mandates, orders, seats, bookings and tickets in agreement, and what was answered holds',
    async () => {
      const lives = fc.asyncProperty(scripts, async (script) => {
        expect(await livedThrough(script)).toEqual([]);
      });
      await fc.assert(lives, { numRuns: RUNS });
    },
    600_000 + RUNS * 1_000,
  );
});
