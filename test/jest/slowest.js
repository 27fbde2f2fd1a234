import { relative } from 'node:path';
import process from 'node:process';

const SHOWN = 10;

const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s`;

/** Says at the end of a run what CPU time its files took (runner.js) and which took longest, where there were more than ten. */
export default class Slowest {
  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= SHOWN) return;
    const files = testResults.map(({ testFilePath, perfStats, cpu = 0 }) => ({
      file: relative(process.cwd(), testFilePath),
      wall: perfStats.runtime,
      cpu,
    }));
    const slowest = files.sort((one, other) => other.wall - one.wall).slice(0, SHOWN);
    const all = files.reduce((sum, { cpu }) => sum + cpu, 0);
    process.stderr.write(`\nAll files took ${seconds(all).trim()} of CPU. Longest took, with their CPU:\n`);
    for (const { file, wall, cpu } of slowest) process.stderr.write(`${seconds(wall)}  ${seconds(cpu)}  ${file}\n`);
  }
}
