/** `npm run size` counts files, lines, modules, words and decisions; with `--paths` what an order crosses. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { measurePaths } from './paths.js';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(existsSync);
const textsOf = (isWanted) => tracked.filter(isWanted).map((path) => readFileSync(path, 'utf8'));
const sum = (texts, count) => texts.reduce((all, text) => all + count(text), 0);
const linesIn = (text) => text.split('\n').length - 1;
const wordsIn = (text) => text.match(/\S+/g)?.length ?? 0;
const median = (sorted) =>
  (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;

const isCode = (path) => /\.(ts|css|js)$/.test(path);
/** Specs, contracts, and what is lent to them. */
const isTest = (path) => isCode(path) && /^test\/|\.(spec|contract)\.ts$|\/testing\//.test(path);
const isSource = (path) => /^(apps|libs)\//.test(path) && isCode(path) && !isTest(path);
const isDecision = (path) => /^docs\/adr\/\d.*\.md$/.test(path);
const isDocument = (path) => path.endsWith('.md');

const sources = textsOf(isSource);
const lines = sources.map(linesIn).sort((one, other) => one - other);
const tests = textsOf(isTest);
const rows = [
  // What is lent to tests alone is no module.
  [
    'modules',
    new Set(
      tracked
        .filter(isSource)
        .map((path) => /^libs\/[^/]+/.exec(path)?.[0])
        .filter(Boolean),
    ).size,
  ],
  ['source files', sources.length],
  ['of these TypeScript', tracked.filter((path) => isSource(path) && path.endsWith('.ts')).length],
  ['lines of source', sum(sources, linesIn)],
  ['lines of a file, median', median(lines)],
  ['files of at most 20 lines', lines.filter((count) => count <= 20).length],
  ['files of more than 200 lines', lines.filter((count) => count > 200).length],
  ['files of tests', tests.length],
  ['lines of tests', sum(tests, linesIn)],
  ['words of documents', sum(textsOf(isDocument), wordsIn)],
  [
    'of these in docs/ but adr/',
    sum(
      textsOf((path) => isDocument(path) && /^docs\/(?!adr\/)/.test(path)),
      wordsIn,
    ),
  ],
  ['decisions', tracked.filter(isDecision).length],
];
if (process.argv.includes('--paths')) {
  for (const { request, files, calls } of await measurePaths())
    rows.push([`${request}: files`, files], [`${request}: calls`, calls]);
}
for (const [what, count] of rows) process.stdout.write(`${what.padEnd(30)} ${count}\n`);
