import { Readable } from 'node:stream';
import { run } from '../../apps/cli/src/run.js';
import { type Environment, storesOf } from './stores.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `alcada <args>` in this process on the data in `folder`; `input`: its standard input. */
export const alcada = async (
  folder: string,
  args: readonly string[],
  { input = '', environment = {} }: { readonly input?: string; readonly environment?: Environment } = {},
): Promise<Ended> => {
  const written = { stdout: '', stderr: '' };
  const code = await run(args, {
    env: { PASSWORD_COST: '10', ...storesOf(folder), ...environment },
    stdin: Readable.from(input),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
};

/** A command that failed with this exit code, and said this. */
export const failure = (code: number, message: string) => ({
  code,
  stderr: expect.stringContaining(message) as unknown,
});
