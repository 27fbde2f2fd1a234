import { CommanderError } from 'commander';
import type { Screen } from '#runtime';
import { EX_USAGE } from '#runtime/pure';
import type { Cli } from './command-line.js';
import { createProgram } from './program.js';

/** What a command has of the process it runs in, which may be all of it. */
export interface Terminal extends Pick<Cli, 'stdin' | 'stderr'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Screen;
}

/** What moves the cursor of a terminal, hides, or turns the direction of its text; the newline is wanted. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (control: string): string =>
  control.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Text with controls escaped as in JSON: a stranger's file must not overwrite what is said about it. */
const visible = (text: string): string => text.replace(CONTROLS, escaped);

/** Runs a command line (without the program's name) and reports what goes wrong; returns the exit code. */
export const run = async (args: readonly string[], { env, stdin, stdout, stderr }: Terminal): Promise<number> => {
  const cli: Cli = {
    config: async () => (await import('#config')).readConfig(env),
    write: (text) => void stdout.write(visible(text)),
    stdin,
    stderr,
    npmKept: (option) => env[`npm_config_${option}`] !== undefined,
  };
  try {
    await (await createProgram(cli, args)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // It has already written its message, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    const { failureOf } = await import('#runtime');
    const { message, code } = failureOf(error);
    stderr.write(`alcada ${args[0] ?? ''}: ${visible(message)}\n`);
    return code;
  }
};
