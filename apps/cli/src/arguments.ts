import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.js';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

/**
 * The options and the positional arguments of a command line, exactly `names.length` of them (null: any number).
 *
 * @throws UsageError naming what is missing, unknown or too much.
 */
export const argumentsIn = <Options extends OptionsConfig>(
  args: readonly string[],
  names: readonly string[] | null,
  options: Options,
) => {
  const parsed = understood(args, options);
  if (names === null) return parsed;
  const [missing] = names.slice(parsed.positionals.length);
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const [more] = parsed.positionals.slice(names.length);
  if (more !== undefined) throw new UsageError(`${more} is one argument too many`);
  return parsed;
};

const understood = <Options extends OptionsConfig>(args: readonly string[], options: Options) => {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    // Node adds advice after the first sentence.
    throw new UsageError((error as Error).message.replace(/\. .*/s, ''));
  }
};
