import type { Command } from 'commander';
import { openAuditorRegistry } from '#oauth';
import { oauthSettings } from '#runtime';
import { type Cli, type JsonOption, type Line, operated, printed, withStoresToRead } from './command-line.js';
import { newPassword } from './traveller.command.js';

/** An auditor as the program shows them: by the id that names them in the log. */
const shown = ({ email, holder }: { readonly email: string; readonly holder: string }) => ({ email, auditor: holder });

/** `alcada auditor`: the people who can log in to the audit pages. */
export const defineAuditor = (auditor: Command, cli: Cli): void => {
  const { config, write } = cli;
  auditor
    .command('add')
    .description('add an auditor; asks for the password, or reads it from standard input')
    .argument('<e-mail>')
    .action(async (email: string, options: JsonOption) => {
      const password = await newPassword(cli);
      const added = shown(await operated(cli, 'auditor add', { email, password }));
      const lines: readonly Line[] = [
        ['e-mail', added.email],
        ['auditor', added.auditor],
      ];
      write(printed(options, added, 'Auditor added; they can log in at /auditoria now.', lines));
    });

  auditor
    .command('list')
    .description('list the auditors, with the ids that name them in the log')
    .action(async (options: JsonOption) => {
      const settings = await config();
      const found = await withStoresToRead(settings, async (ports) =>
        (await openAuditorRegistry(ports, oauthSettings(settings))).list(),
      );
      const auditors = found.map(shown);
      const lines = auditors.map((one): Line => [one.email, one.auditor]);
      write(printed(options, auditors, lines.length === 0 ? 'No auditors.' : 'Auditors:', lines));
    });

  auditor
    .command('remove')
    .description('remove an auditor and log them out; what they looked at stays in the log, by their id')
    .argument('<e-mail>')
    .action(async (email: string, options: JsonOption) => {
      const removed = shown(await operated(cli, 'auditor remove', email));
      const heading = `${removed.email} is removed, and logged out everywhere.`;
      write(printed(options, removed, heading, [['auditor', removed.auditor]]));
    });
};
