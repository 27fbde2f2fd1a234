/**
 * What the runs of `.ci/run` came to, by Jest's reports in a folder. `skipped <folder>` prints a pattern of the names that were
 * skipped, and their files; `closing <folder> <untried> <reports>` what failed, what stays skipped, and "N passed, N failed".
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

const [, , asked, folder, untried, ...expected] = process.argv;

/** The tests of a run: file and name, and the how-manieth of that name. A file that does not load is one that failed. */
const testsOf = (report) =>
  JSON.parse(readFileSync(join(folder, `${report}.json`), 'utf8')).testResults.flatMap(
    ({ name, status, message, assertionResults }) => {
      // A run in a copy has other folders before them.
      const file = name.replace(/^.*?\/(?=(?:apps|libs|test)\/)/, '');
      const times = new Map();
      const tests = assertionResults.map(({ fullName, status, failureMessages }) => {
        times.set(fullName, (times.get(fullName) ?? 0) + 1);
        return { file, fullName, nth: times.get(fullName), status, reason: failureMessages?.[0] };
      });
      return tests.length === 0 && status === 'failed'
        ? [{ file, fullName: 'does not run', nth: 1, status, reason: message }]
        : tests;
    },
  );

const say = (line) => process.stdout.write(`${line}\n`);
/** The first lines of why a test failed, each moved in: what stands above may be cut away. */
const linesOf = (reason = '') =>
  stripVTControlCharacters(reason)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 12)
    .map((line) => `\n    ${line}`)
    .join('');
const wasSkipped = ({ status }) => status !== 'passed' && status !== 'failed';
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

if (asked === 'skipped') {
  const skipped = testsOf('bare').filter(wasSkipped);
  say(`^(?:${skipped.map(({ fullName }) => escaped(fullName)).join('|')})$`);
  for (const file of new Set(skipped.map(({ file }) => file))) say(file);
} else {
  /** A test that several runs have failed if one of them has, and was skipped if all of them did. */
  const tests = new Map();
  const rank = (test) => ['skipped', 'passed', 'failed'].indexOf(wasSkipped(test) ? 'skipped' : test.status);
  for (const report of expected) {
    const path = join(folder, `${report}.json`);
    const missing = [{ file: `the run "${report}"`, fullName: 'has left no report', nth: 1, status: 'failed' }];
    for (const test of existsSync(path) ? testsOf(report) : missing) {
      const key = JSON.stringify([test.file, test.fullName, test.nth]);
      if (!tests.has(key) || rank(test) > rank(tests.get(key))) tests.set(key, test);
    }
  }
  const [skipped, passed, failed] = [0, 1, 2].map((at) => [...tests.values()].filter((test) => rank(test) === at));
  for (const { file, fullName, reason } of failed) say(`FAILED: ${file}: ${fullName}${linesOf(reason)}`);
  for (const { file, fullName } of skipped) say(`skipped: ${file}: ${fullName}`);
  const count = failed.length + Number(untried);
  say(`${passed.length} passed, ${count} failed` + (skipped.length > 0 ? `, ${skipped.length} skipped` : ''));
  process.exitCode = count > 0 ? 1 : 0;
}
