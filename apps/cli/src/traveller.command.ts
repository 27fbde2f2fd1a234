import type { Command } from 'commander';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { type Cli, type JsonOption, type Line, operated, printed, withRegistryToRead } from './command-line.js';

/** `alcada traveller`: the people who can log in and let agents act for them. */
export const defineTraveller = (traveller: Command, cli: Cli): void => {
  const { config, write } = cli;

  traveller
    .command('add')
    .description('add a person; asks for the password, or reads it from standard input')
    .argument('<e-mail>')
    .action(async (email: string, options: JsonOption) => {
      const password = await newPassword(cli);
      const added = await operated(cli, 'traveller add', { email, password });
      const lines: readonly Line[] = [
        ['e-mail', added.email],
        ['holder', added.holder],
      ];
      write(printed(options, added, 'Traveller added; they can log in now.', lines));
    });

  traveller
    .command('list')
    .description('list the people who can log in')
    .action(async (options: JsonOption) => {
      const travellers = await withRegistryToRead(await config(), (registry) => registry.travellers.list());
      const lines = travellers.map(({ email, holder }): Line => [email, holder]);
      write(printed(options, travellers, lines.length === 0 ? 'No travellers.' : 'Travellers:', lines));
    });

  traveller
    .command('set-password')
    .description('change the password of a person and log them out everywhere')
    .argument('<e-mail>')
    .action(async (email: string, options: JsonOption) => {
      const password = await newPassword(cli);
      await operated(cli, 'traveller set-password', { email, password });
      write(printed(options, { email }, `${email} has a new password, and is logged out everywhere.`));
    });

  traveller
    .command('set-email')
    .description('change the e-mail of a person, with which they log in')
    .argument('<e-mail>', 'the one of now')
    .argument('<new e-mail>')
    .action(async (email: string, next: string, options: JsonOption) => {
      const changed = await operated(cli, 'traveller set-email', { email, next });
      write(printed(options, changed, `${email} is ${changed.email} now, and logs in with that.`));
    });

  traveller
    .command('remove')
    .description('remove a person, log them out and revoke everything they granted')
    .argument('<e-mail>')
    .action(async (email: string, options: JsonOption) => {
      const { endedGrants } = await operated(cli, 'traveller remove', email);
      const heading = `${email} is removed, and logged out everywhere.`;
      write(printed(options, { email, endedGrants }, heading, [['grants ended', endedGrants.toString()]]));
    });
};

/** Where readline echoes what is typed: nowhere. */
const silence = new Writable({ write: (_chunk, _encoding, done) => done() });

/** A new password, from terminal or stdin, never an argument that other processes could read. @throws Error for the operator */
export const newPassword = async ({ stdin, stderr }: Cli): Promise<string> => {
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY ?? false });
  try {
    if (!stdin.isTTY) return await nextLine(lines);
    stderr.write('Password: ');
    const password = await nextLine(lines);
    stderr.write('\nRepeat the password: ');
    const again = await nextLine(lines);
    stderr.write('\n');
    if (again !== password) throw new Error('the passwords do not match');
    return password;
  } finally {
    lines.close();
  }
};

const nextLine = (lines: Interface): Promise<string> =>
  new Promise((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new Error('no password was given')));
  });
