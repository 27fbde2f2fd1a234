import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** Stands in for what a run installs and calls: every test passes. */
const PROGRAMS: Readonly<Record<string, string>> = {
  npm: 'for word in "$@"; do case "$word" in --outputFile=*) echo "{\\"numPassedTests\\":1,\\"numFailedTests\\":0,\\"numRuntimeErrorTestSuites\\":0,\\"numPendingTests\\":0}" > "${word#*=}";; esac; done',
  promtool: 'exit 0',
};

let folder: string;
const place = (name: string, script: string): void => {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'alcada-test-'));
  for (const [name, script] of Object.entries(PROGRAMS)) place(name, script);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A run as this user, who may or may not install; Chromium is at `browser`, if anywhere. */
const run = ({ user, browser, aptGet = 'exit 1' }: { user: number; browser: string; aptGet?: string }) => {
  place('id', `echo ${user}`);
  place('apt-get', aptGet);
  const PATH = [folder, process.env['PATH']].join(delimiter);
  const { status, stdout } = spawnSync('bash', ['.ci/run'], { env: { PATH, CHROMIUM: browser }, encoding: 'utf8' });
  return { status, last: stdout.trim().split('\n').at(-1), failure: /^FAILED: .*$/m.exec(stdout)?.[0] };
};

describe('a run of continuous integration', () => {
  it('fails where it installs Chromium and there is none, however well the other tests went', () => {
    const browser = join(folder, 'nowhere');
    expect(run({ user: 0, browser })).toEqual({
      status: 1,
      last: '2 passed, 1 failed',
      failure: `FAILED: no Chromium at ${browser}, though this run installs it; its tests are skipped`,
    });
  });

  it('passes where the installation brings it', () => {
    const browser = join(folder, 'chromium');
    const aptGet = `printf '#!/bin/sh\\n' > '${browser}'; chmod +x '${browser}'`;
    expect(run({ user: 0, browser, aptGet })).toEqual({ status: 0, last: '2 passed, 0 failed', failure: undefined });
  });

  it('passes where it may not install: the tests say that they are skipped', () => {
    expect(run({ user: 1000, browser: join(folder, 'nowhere') })).toMatchObject({ status: 0 });
  });
});
