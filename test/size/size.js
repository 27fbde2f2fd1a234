/**
 * `npm run size` counts the source files of apps and libs, without specs, contracts and what is lent to tests; with
 * `--paths` also the files and calls of our own that one POST /bookings and one POST /orders cross in the built program (`npm run build` first).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { measurePaths } from './paths.js';

const isSource = (path) => /\.(ts|css|js)$/.test(path) && !/\.(spec|contract)\.ts$|\/testing\//.test(path);
const median = (sorted) =>
  (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;

const sizes = execFileSync('git', ['ls-files', 'apps', 'libs'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => isSource(path) && existsSync(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
  .sort((one, other) => one.lines - other.lines);

const lines = sizes.map((file) => file.lines);
const rows = [
  ['files', sizes.length],
  ['of these TypeScript', sizes.filter(({ path }) => path.endsWith('.ts')).length],
  ['lines', lines.reduce((sum, count) => sum + count, 0)],
  ['lines of a file, median', median(lines)],
  ['files of at most 20 lines', lines.filter((count) => count <= 20).length],
  ['files of more than 200 lines', lines.filter((count) => count > 200).length],
];
if (process.argv.includes('--paths')) {
  for (const { request, files, calls } of await measurePaths())
    rows.push([`${request}: files`, files], [`${request}: calls`, calls]);
}
for (const [what, count] of rows) process.stdout.write(`${what.padEnd(30)} ${count}\n`);
