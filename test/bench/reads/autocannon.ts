import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withEmptyFolder } from '../server.js';

const run = promisify(execFile);

/** The load generator of everything that sends the same request again and again; no dependency of the project. */
const AUTOCANNON = 'autocannon@9.0.0';

export const withAutocannon = <Result>(work: (folder: string) => Promise<Result>): Promise<Result> =>
  withEmptyFolder(async (folder) => {
    console.error(`installs ${AUTOCANNON}`);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--save-exact', AUTOCANNON], { cwd: folder });
    return work(folder);
  });
