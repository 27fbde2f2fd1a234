import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '#config';
import { SystemClock } from '#kernel';
import { progressLine, UnusableHere } from '#runtime';
import { count } from '../audit/format.js';
import { BreachesFound, breachTable } from '../audit/words.js';
import { type Cli, json, type Line, report } from '../command-line.js';
import { type Manifest, takeBackup } from './backup.js';
import { type Checked, checkBackup, putBack, refuseWhereData } from './restore.js';

interface JsonOption {
  readonly json?: true;
}

interface RestoreOptions extends JsonOption {
  readonly check?: true;
  readonly despiteBreaches?: true;
}

const FOR_SERVERS =
  'the stores are servers, which have tools of their own. MongoDB first: mongodump --oplog, or a snapshot of its volumes; ' +
  'EventStoreDB after it: its files, the .chk files before the chunks, or a snapshot of a node. In that order the log holds ' +
  'all that the documents say was signed. Better still, stop the service for both (docs/operations.md, Back up)';

/** @throws UnusableHere where the stores are no files */
const embedded = (config: Config): Config => {
  if (config.servers !== null) throw new UnusableHere(FOR_SERVERS);
  return config;
};

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const lines = ({ madeAt, version, log, files }: Manifest): readonly Line[] => [
  ['made', `${madeAt} by version ${version}`],
  ['log', log ? `up to position ${log.position}, ${log.at}` : 'empty'],
  ...files.map(({ name, bytes }): Line => [name, size(bytes)]),
];

/** What whoever has a backup has to know, loudly. */
const warning = ({ keys }: Manifest): string =>
  `
THIS FOLDER IS A SECRET: it holds the keys that sign tokens and checkpoints, ${
    keys === 'in clear' ? 'IN CLEAR (KEY_ENCRYPTION_KEY is not set)' : 'encrypted'
  },
e-mails, hashes of passwords, and names of buyers. Who has it can act as the service. It is for its owner
alone (0700, 0600): keep it so wherever you take it.${
    keys === 'encrypted'
      ? '\nKEY_ENCRYPTION_KEY IS NOT IN IT. Without that key it is worth nothing: keep the key elsewhere.'
      : ''
  }
`;

const checkedLines = ({ manifest, log }: Checked): readonly Line[] => [
  ...lines(manifest),
  ['checked', `${count(log.events, 'event')} of ${count(log.streams, 'stream')}, every hash, rule and checksum`],
  ['sealed', log.sealed === null ? 'nothing yet' : count(log.sealed, 'entry', 'entries')],
  ['ledger', count(log.ledger.rows, 'row')],
  ['open', log.open.length === 0 ? 'no checkout' : `${count(log.open.length, 'checkout')}, which a start finishes`],
  ['keys', `${manifest.keys}, and they open`],
];

const told = ({ manifest, log }: Checked): object => {
  const { events, streams, until, sealed, ledger, open, breaches, breachCount } = log;
  return { ...manifest, checked: { events, streams, until, sealed, ledger, open, breaches, breachCount } };
};

/** `alcada backup` and `alcada restore`: the data of the embedded stores, put by and back. */
export const addBackupCommands = (program: Command, { config, write, stderr }: Cli): void => {
  program
    .command('backup')
    .description('copy the log and the documents as they are at one moment, beside the running server')
    .argument('<folder>', 'a new folder')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
What it holds is what a power cut at that moment would have left: everything that was answered before. Read
models are left out, and built anew. Keys, e-mails and hashes of passwords are in it: the folder is a secret.
Try it: alcada restore --check <folder>`,
    )
    .action(async (folder: string, options: JsonOption) => {
      const { dataDir } = embedded(config());
      const made = await takeBackup(dataDir, folder, new SystemClock(), progressLine('Backing up', stderr));
      const into = resolve(folder);
      const heading = report('Backed up.', [['into', into], ...lines(made)]);
      write(options.json ? json({ into, ...made }) : `${heading}${warning(made)}`);
    });

  program
    .command('restore')
    .description('check a backup, and put it into DATA_DIR, which must have no data')
    .argument('<folder>', 'what alcada backup made')
    .option('--check', 'only check it, and say what it holds: nothing is written')
    .option('--despite-breaches', 'put it back although rules are broken in it, and stay broken')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Every byte, page, hash, checksum and rule is looked at, and the log's tree is compared with what was signed.
Exit code 1: a rule is broken; 78: it is damaged, or unfinished, or DATA_DIR has data. KEY_ENCRYPTION_KEY has
to be the one of the server. Afterwards erase again whom you erased since.`,
    )
    .action(async (folder: string, options: RestoreOptions) => {
      const settings = embedded(config());
      if (!options.check) refuseWhereData(settings.dataDir);
      const checked = await checkBackup(folder, settings, progressLine('Checking', stderr));
      const { breaches, breachCount } = checked.log;
      const isPutBack = !options.check && (breachCount === 0 || options.despiteBreaches === true);
      if (isPutBack) await putBack(folder, settings.dataDir);
      const into = isPutBack ? resolve(settings.dataDir) : null;
      const heading = isPutBack
        ? `Restored into ${resolve(settings.dataDir)}; the next start builds the read models.`
        : breachCount === 0
          ? 'The backup is sound.'
          : `${count(breachCount, 'breach', 'breaches')}. Nothing was restored; --despite-breaches does all the same.`;
      if (options.json) write(json({ restoredInto: into, ...told(checked) }));
      else write(report(heading, checkedLines(checked)) + breachTable(breaches));
      if (breachCount > 0 && !isPutBack) throw new BreachesFound(count(breachCount, 'breach', 'breaches'));
    });
};
