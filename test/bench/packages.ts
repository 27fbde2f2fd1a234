import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withEmptyFolder } from './server.js';

const run = promisify(execFile);

/** Installs packages into a folder of their own, with exact versions, so that none of them is a dependency of the project. */
export const withPackages = <Result>(
  packages: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> =>
  withEmptyFolder(async (folder) => {
    const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    console.error(`installs ${names.join(', ')}`);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--save-exact', ...names], { cwd: folder });
    return work(folder);
  });
