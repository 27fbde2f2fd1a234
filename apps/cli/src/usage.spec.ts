import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { readConfig } from '#config';
import { VERSION } from '#runtime/pure';
import { COMMAND_NAMES, createProgram } from './program.js';
import { run } from './run.js';

/** What a command line writes to standard error that is not understood. */
const refused = async (args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await ran(args);
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
};

const ran = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const written = { stdout: '', stderr: '' };
  const code = await run(args, {
    env,
    stdin: Readable.from(''),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
};

const commandLines = (command: Command, path: readonly string[] = []): readonly string[] => [
  ...(command.registeredArguments.length > 0 || command.commands.length === 0 ? [path.join(' ')] : []),
  ...command.commands.flatMap((one) => commandLines(one, [...path, one.name()])),
];
const EVERY = commandLines(
  await createProgram(
    {
      config: () => Promise.resolve(readConfig({})),
      write: () => undefined,
      stdin: Readable.from(''),
      stderr: { write: () => undefined },
      npmKept: () => false,
    },
    COMMAND_NAMES,
  ),
);

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
    ['bounds of traffic that nobody asked for', ['demo', '--calls', '5'], '--calls and --seconds go with --traffic'],
    ['too much traffic', ['demo', '--traffic', '--calls', '5001'], 'give a whole number from 1 to 5000'],
    ['no read model', ['rebuild'], 'which read model?'],
  ])('with %s is not understood', async (_, args, why) => {
    expect(await refused(args)).toContain(why);
  });

  it('without a verb shows how the command is used', async () => {
    expect(await refused(['client'])).toMatch(/^Usage: alcada client [^]*add [^]*rotate-secret/);
  });

  it.each(EVERY)('(%s) has help of its own, and refuses an option that it does not know', async (line) => {
    const words = line.split(' ');
    const help = await ran([...words, '--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain(`Usage: alcada ${line}`);
    const [error = '', usage, more, ...rest] = (await refused([...words, '--bogus'])).split('\n');
    expect(error).toMatch(/^error: (?:unknown option '--bogus'|required option '.*' not specified)$/);
    expect(rest).toEqual(['']);
    expect(usage).toMatch(new RegExp(`^Usage: alcada ${line}( |$)`));
    expect(more).toContain(`alcada ${line} --help`);
  });

  it('whose option npm took for its own is told how npm passes it on', async () => {
    const { code, stderr } = await ran(['demo'], { npm_config_traffic: 'true' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm run demo -- --traffic')]);
  });

  it('asks for the version, and gets it', async () =>
    expect(await ran(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' }));
});
