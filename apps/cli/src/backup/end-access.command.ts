import type { Command } from 'commander';
import { type Cli, json, report, withStores } from '../command-line.js';
import { endedLines, endRevived } from './end-revived.js';

interface Options {
  readonly endMandates?: true;
  readonly json?: true;
}

/** `alcada end-access`: what `alcada restore` ends, for stores that other tools have put back. */
export const defineEndAccess = (endAccess: Command, { config, write }: Cli): void => {
  endAccess
    .option('--end-mandates', 'end every open mandate as well')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
For stores that were put back to an earlier moment by tools of their own, before the service starts on them: what
was revoked since would be in force again. alcada restore does it by itself. Travellers log in and let their agents
in anew; accounts, clients and the log stay. Interrupted, it is finished by running it again.`,
    )
    .action(async (options: Options) => {
      const settings = await config();
      const ended = await withStores(settings, (ports) => endRevived(ports, settings, options.endMandates ?? false));
      write(options.json ? json(ended) : report('All access is ended.', endedLines(ended)));
    });
};
