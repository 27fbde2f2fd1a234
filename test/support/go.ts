import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { tellNotGiven } from '#testing';

/** The program `go`, and the folder of sources in which it finds `sumdb/note` and `sumdb/tlog` of golang.org/x/mod. */
const { GO = '', GOPATH = '' } = process.env;

/** Whether Go is given; where not, that what needs it is skipped is said aloud. */
export const hasGo = (suite: string): boolean => {
  const isGiven = GO !== '' && GOPATH !== '';
  if (!isGiven) tellNotGiven(suite, 'GO', 'GOPATH');
  return isGiven;
};

/** Builds the verifier of test/go into a folder; answers how it is run: what it writes, or an Error with what it objects to. */
export const buildVerifier = async (folder: string): Promise<(address: string, vkey: string) => Promise<string>> => {
  const run = promisify(execFile);
  const program = join(folder, 'verify');
  const env = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOCACHE: join(tmpdir(), 'alcada-go-cache') };
  await run(GO, ['build', '-o', program, resolve('test/go/verify.go')], { env });
  return async (address, vkey) => (await run(program, [address, vkey])).stdout;
};
