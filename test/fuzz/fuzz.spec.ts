import { swept } from '../support/sweep.js';
import { commandOf } from './finding.js';
import { fuzz } from './fuzz.js';
import { Coverage } from './coverage.js';

/** The roll call of every operation comes first, and is not less than this. */
const REQUESTS = swept({ short: 300, middle: 6_000, full: 1_000_000 });
const isLong = swept({ short: false, middle: false, full: true });

it(`${REQUESTS} requests of strangers lead to no answer that is not described, and show and cost nobody anything`, async () => {
  const coverage = new Coverage();
  for await (const report of fuzz(1, REQUESTS)) {
    expect(report.findings.map(({ fault, composed }) => `${fault}: ${commandOf(composed)}`)).toEqual([]);
    coverage.add(report);
  }
  // In a few thousand requests it is chance what is reached beyond the roll call.
  if (isLong) expect(coverage.never.filter(({ reason }) => reason === null)).toEqual([]);
}, 7_200_000);
