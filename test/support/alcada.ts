import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Environment, storesOf } from './stores.js';

const MAIN = fileURLToPath(new URL('../../apps/cli/src/main.js', import.meta.url));

/** A command that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `alcada <args>` on the data in `folder`, as the build left it (`npm test` builds first); `input`: its standard input. */
export const alcada = (
  folder: string,
  args: readonly string[],
  { input = '', environment = {} }: { readonly input?: string; readonly environment?: Environment } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PASSWORD_COST: '10', ...storesOf(folder), ...environment };
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
    child.stdin?.end(input);
  });
