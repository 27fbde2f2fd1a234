import { relative } from 'node:path';
import process from 'node:process';

const SHOWN = 10;

/** Says at the end of a run which files took longest, where there were more than that. */
export default class Slowest {
  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= SHOWN) return;
    const slowest = testResults
      .map(({ testFilePath, perfStats }) => ({
        file: relative(process.cwd(), testFilePath),
        seconds: perfStats.runtime / 1_000,
      }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, SHOWN);
    process.stderr.write('\nThe files that took longest:\n');
    for (const { seconds, file } of slowest) process.stderr.write(`${seconds.toFixed(1).padStart(6)} s  ${file}\n`);
  }
}
