import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { livedThrough } from './life.js';
import { scripts } from './script.js';

/** How many lives; `npm run test:chaos` lives more of them. */
const RUNS = process.env['CHAOS'] === 'full' ? 5_000 : 400;

describe('orders, challenges, decisions, revocations, time, settlers and crashes, in any order, on bad lines', () => {
  it(
    'leave ledger, mandates, orders, seats, bookings and tickets in agreement, and what was answered holds',
    async () => {
      const lives = fc.asyncProperty(scripts, async (script) => {
        expect(await livedThrough(script)).toEqual([]);
      });
      await fc.assert(lives, { numRuns: RUNS });
    },
    RUNS * 500,
  );
});
