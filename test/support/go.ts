import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tellSkipped } from '#testing';

/** Where Debian puts the sources of golang-golang-x-mod-dev. */
const SOURCES = '/usr/share/gocode';

/** Whether there is Go here, with `sumdb/note` and `sumdb/tlog`; where not, that what needs them is skipped is said aloud. */
export const hasGo = (suite: string): boolean => {
  const isThere = existsSync(join(SOURCES, 'src/golang.org/x/mod/sumdb')) && spawnSync('go', ['version']).status === 0;
  if (!isThere) tellSkipped(suite, 'no Go with golang.org/x/mod; install golang-go and golang-golang-x-mod-dev');
  return isThere;
};

/** Builds the verifier of test/go into a folder; answers how it is run: what it writes, or an Error with what it objects to. */
export const buildVerifier = async (folder: string): Promise<(address: string, vkey: string) => Promise<string>> => {
  const run = promisify(execFile);
  const program = join(folder, 'verify');
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: SOURCES,
    GOFLAGS: '',
    GOCACHE: join(tmpdir(), 'alcada-go-cache'),
  };
  await run('go', ['build', '-o', program, join(import.meta.dirname, '../../../test/go/verify.go')], { env });
  return async (address, vkey) => (await run(program, [address, vkey])).stdout;
};
