import { CommanderError } from 'commander';
import { readConfig } from '#config';
import { EX_CONFIG, operatorMessage, type Screen } from '#runtime';
import type { Cli } from './command-line.js';
import { createProgram } from './program.js';

/** Exit code of a command line that is not understood. */
const EX_USAGE = 2;

/** What a command has of the process it runs in, which may be all of it. */
export interface Terminal extends Pick<Cli, 'stdin' | 'stderr'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Screen;
}

/** Runs a command line (without the program's name) and tells what goes wrong; answers the exit code. */
export const run = async (args: readonly string[], { env, stdin, stdout, stderr }: Terminal): Promise<number> => {
  const cli: Cli = { config: () => readConfig(env), write: (text) => void stdout.write(text), stdin, stderr };
  try {
    await createProgram(cli).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // It has already written its message, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(`alcada ${args[0] ?? ''}: ${message}\n`);
    return operatorMessage(error) === null ? 1 : EX_CONFIG;
  }
};
