import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import type { Mutation } from './mutation.js';

const ROOT = process.cwd();
/** What no test of the copy needs, or what it shares. */
const LEFT_OUT = ['.git', 'builds', 'data', 'dist', 'node_modules'];

/** What came of a program: its exit code (null: it was ended for its time), and what it has written. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The source with a guard taken out. @throws Error where what is to be taken out does not stand in it exactly once */
export const withoutGuard = (source: string, { rule, name, file, from, to }: Mutation): string => {
  const places = source.split(from).length - 1;
  if (places !== 1) throw new Error(`rule ${rule}, ${name}: stands ${places} times in ${file}, not once: ${from}`);
  return source.replace(from, () => to);
};

/** A copy of the repository, in which guards are taken out one at a time. */
export class Copy {
  private constructor(readonly root: string) {}

  static async make(): Promise<Copy> {
    const root = await mkdtemp(join(tmpdir(), 'alcada-guards-'));
    const isNeeded = (path: string) => !LEFT_OUT.includes(relative(ROOT, path).split(sep)[0] ?? '');
    await cp(ROOT, root, { recursive: true, filter: isNeeded });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    return new Copy(root);
  }

  /** Does `work` while a guard is missing, and puts it back. */
  async without<Result>(mutation: Mutation, work: () => Promise<Result>): Promise<Result> {
    const source = join(this.root, mutation.file);
    const text = await readFile(source, 'utf8');
    await writeFile(source, withoutGuard(text, mutation));
    try {
      return await work();
    } finally {
      await writeFile(source, text);
    }
  }

  run(args: readonly string[], timeout: number): Promise<Ended> {
    const env = { ...process.env, SWEEPS: 'short' };
    const options = { cwd: this.root, env, timeout, maxBuffer: 2 ** 28, killSignal: 'SIGKILL' } as const;
    return new Promise((resolve) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : null;
        resolve({ code: error ? code : 0, output: stdout + stderr });
      });
    });
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
