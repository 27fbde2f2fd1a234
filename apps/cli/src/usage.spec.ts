import { CommanderError } from 'commander';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import { createProgram } from './program.js';

/** What a command line writes to standard error and is ended with. */
const refused = async (args: readonly string[]): Promise<string> => {
  let written = '';
  const program = createProgram({
    config: () => readConfig({}),
    write: (text) => {
      throw new Error(`wrote ${text}`);
    },
  });
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.configureOutput({ writeErr: (text) => (written += text) });
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(CommanderError);
  return written;
};

describe('a command line', () => {
  it.each([
    ['an unknown command', ['constructor'], "unknown command 'constructor'"],
    ['an unknown verb', ['client', 'constructor'], "unknown command 'constructor'"],
    ['no client id', ['client', 'add'], "missing required argument 'id'"],
    ['too many arguments', ['client', 'remove', 'a', 'b'], 'too many arguments'],
    ['an option without its value', ['client', 'add', 'a', '--name'], "option '--name <name>' argument missing"],
    [
      'a password as an option',
      ['traveller', 'add', 'zoe@example.com', '--password', 'x'],
      "unknown option '--password'",
    ],
    ['a password as an argument', ['traveller', 'add', 'zoe@example.com', 'senha'], 'too many arguments'],
    ['an unknown read model', ['rebuild', 'receptions'], 'there is no read model receptions'],
    ['no read model', ['rebuild'], 'which read model?'],
  ])('with %s is not understood', async (_, args, why) => {
    expect(await refused(args)).toContain(why);
  });

  it('without a verb shows how the command is used', async () => {
    expect(await refused(['client'])).toMatch(/^Usage: alcada client [^]*add [^]*rotate-secret/);
  });
});
