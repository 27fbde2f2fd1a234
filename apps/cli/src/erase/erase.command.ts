import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '#config';
import { EmbeddedDocuments } from '#documents';
import { type Erased, eraseHolder, openErasure } from './erase-holder.js';
import { normalized } from '#identity';
import { ERASED, isId } from '#kernel';
import { progressLine } from '#runtime';
import { travellerOf } from '../audit/ids.js';
import { type Cli, dependenciesOf, json, type Line, report, withStores, withStoresToRead } from '../command-line.js';

const lines = (erased: Report): readonly Line[] => [
  ['account', erased.account ? 'removed' : 'there was none'],
  ['logins', `${erased.sessions} ended`],
  ['agents', `${erased.agents} without access now; ${erased.grants} grants and ${erased.consents} consents removed`],
  ['orders', `${erased.ordersSettled} that were under way settled`],
  ['buyers', `${erased.buyers} removed (name and document)`],
  ['travellers', `${erased.travellers} removed (bookings and orders that said who flies, and how to reach them)`],
  ['purposes', `${erased.purposes} removed (what a mandate is for, in an agent's words)`],
  ['notices', `${erased.notices} removed (what became news for the person)`],
  ['metadata', `${erased.metadata} removed (what agents noted on bookings, mandates and orders)`],
  ['webhooks', `${erased.webhooks} removed, with their deliveries`],
  ['checkouts', `${erased.checkouts} removed (what platforms put together)`],
  ['kept cards', `${erased.keptCards} removed, with the tokens that they pay for`],
  ['kept answers', `${erased.answers} removed`],
  ...(erased.isConfigured
    ? [['take care', 'DEMO_TRAVELLERS names them: the next start makes a new account'] as const]
    : []),
];

/** What is reported of an erasure; `isConfigured`: the next start makes an account of the same e-mail. */
type Report = Erased & { readonly isConfigured: boolean };

const erase = async (holder: string, config: Config, { stderr }: Cli): Promise<Report> => {
  // Before anything is made: who mistypes the folder makes none.
  const email = await withStoresToRead(config, (ports) => travellerOf(ports, config, holder));
  const erased = await withStores(config, async (ports) => {
    const dependencies = await dependenciesOf(ports, config, stderr);
    return eraseHolder(holder, await openErasure(dependencies), progressLine('Reading the log', stderr));
  });
  if (config.servers === null) EmbeddedDocuments.rewrite(join(config.dataDir, 'documents.db'));
  return { ...erased, isConfigured: config.travellers.some((one) => normalized(one.email) === email) };
};

export const defineErase = (command: Command, cli: Cli): void => {
  const { config, write } = cli;
  command
    .requiredOption('--holder <id>', 'the id of the person, as `alcada traveller list` shows it')
    .addHelpText(
      'after',
      `
The event log stays as it is: it names nobody, and what is proven stays provable. Reports show ${ERASED}
for the person from now on. It cannot be undone. Interrupted, it is finished by running it again; so is
what a request stored that a server was working on. Afterwards remove or age out the backups, too.`,
    )
    .action(async ({ holder, json: asJson }: { readonly holder: string; readonly json?: true }) => {
      if (!isId(holder)) throw new Error(`${holder} is no holder's id: \`alcada traveller list\` shows them`);
      const { isKnown, ...erased } = await erase(holder, await config(), cli);
      if (!isKnown) throw new Error(`nobody has the holder's id ${holder}`);
      write(asJson ? json({ holder, ...erased }) : report(`Erased: ${holder}`, lines({ isKnown, ...erased })));
    });
};
