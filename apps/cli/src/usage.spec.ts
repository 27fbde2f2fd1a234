import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { run } from './run.js';

/** What a command line writes to standard error that is not understood. */
const refused = async (args: readonly string[]): Promise<string> => {
  const written = { stdout: '', stderr: '' };
  const code = await run(args, {
    env: {},
    stdin: Readable.from(''),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  expect([code, written.stdout]).toEqual([2, '']);
  return written.stderr;
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
