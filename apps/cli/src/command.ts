import type { Config } from '#config';

/** What a command is given. */
export interface Invocation {
  /** What follows the command's name. */
  readonly args: readonly string[];
  readonly config: Config;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
}

/** A command, with how it is used: each form of it, and what that does. */
export interface Command {
  readonly usage: readonly (readonly [form: string, effect: string])[];
  /** @throws UsageError, or an error whose message is for the operator. */
  readonly run: (invocation: Invocation) => Promise<void>;
}

/** The command line cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command whose first argument says what to do. */
export const commandOf = (
  usage: Command['usage'],
  verbs: Readonly<Record<string, (invocation: Invocation) => Promise<void>>>,
): Command => ({
  usage,
  run: async ({ args: [name = '', ...args], ...rest }) => {
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (!verb) throw new UsageError(name === '' ? 'what to do?' : `nothing is called ${name} here`);
    await verb({ args, ...rest });
  },
});

/** How commands are used: each form, and what it does beneath it. */
export const usageOf = (commands: readonly Command[]): string => {
  const forms = commands.flatMap(({ usage }) => usage).map(([form, effect]) => `  alcada ${form}\n      ${effect}\n`);
  return `usage:\n${forms.join('')}`;
};
