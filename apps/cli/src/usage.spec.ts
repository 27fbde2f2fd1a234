import { describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import { client } from './client/client.command.js';
import { UsageError, usageOf } from './command.js';
import { traveller } from './traveller/traveller.command.js';

const nothingIsWritten = (text: string): never => {
  throw new Error(`wrote ${text}`);
};

describe('a command line', () => {
  it.each([
    ['no verb', client, [], 'what to do?'],
    ['an unknown verb', client, ['constructor'], 'nothing is called constructor here'],
    ['no client id', client, ['add'], 'the client id is missing'],
    ['too many arguments', client, ['remove', 'a', 'b'], 'b is one argument too many'],
    ['an option without its value', client, ['add', 'a', '--name'], "Option '--name <value>' argument missing"],
    [
      'a password as an option',
      traveller,
      ['add', 'zoe@example.com', '--password', 'x'],
      "Unknown option '--password'",
    ],
    ['a password as an argument', traveller, ['add', 'zoe@example.com', 'senha'], 'senha is one argument too many'],
  ])('with %s is not understood', async (_, command, args, why) => {
    const run = command.run({ args, config: readConfig({}), write: nothingIsWritten });
    await expect(run).rejects.toEqual(new UsageError(why));
  });
});

describe('the usage', () => {
  it('shows each form with what it does', () => {
    expect(usageOf([client, traveller])).toMatch(
      /^usage:\n {2}alcada client add .*\n {6}register an agent.*\n[^]*\n {2}alcada traveller remove <e-mail>\n {6}.*\n$/,
    );
  });
});
