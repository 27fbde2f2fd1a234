import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withEmptyFolder } from './server.js';

const run = promisify(execFile);

/** The tree of another commit, built in a folder that is deleted afterwards; a folder that is built already stays. */
export const withTree = async (commitOrFolder: string, work: (tree: string) => Promise<void>): Promise<void> => {
  if (existsSync(join(commitOrFolder, 'dist'))) return work(resolve(commitOrFolder));
  const { stdout } = await run('git', ['rev-parse', '--verify', `${commitOrFolder}^{commit}`]);
  await withEmptyFolder(async (tree) => {
    const archive = join(tree, 'tree.tar');
    await run('git', ['archive', '--output', archive, stdout.trim()]);
    await run('tar', ['-xf', archive, '-C', tree]);
    console.error(`builds ${stdout.trim().slice(0, 7)} in ${tree}`);
    if (await hasOurPackages(tree)) await symlink(resolve('node_modules'), join(tree, 'node_modules'));
    else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree });
    await run('npm', ['run', '--silent', 'build'], { cwd: tree });
    await work(tree);
  });
};

const hasOurPackages = async (tree: string): Promise<boolean> => {
  const [ours, theirs] = await Promise.all(['.', tree].map((one) => readFile(join(one, 'package-lock.json'), 'utf8')));
  return ours === theirs;
};
