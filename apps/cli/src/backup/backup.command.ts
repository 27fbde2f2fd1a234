import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '#config';
import { SystemClock } from '#kernel';
import { progressLine, UnusableHere } from '#runtime';
import { base64 } from '#verifier';
import { BreachesFound, breachTable, count, openText } from '../audit/format.js';
import { type Cli, json, type JsonOption, type Line, report } from '../command-line.js';
import { type Manifest, moveAway, spend, takeBackup } from './backup.js';
import { endedLines, type EndedRevived, endRevived } from './end-access.command.js';
import { lostText } from './lost.js';
import { type Succeeded, succeedLog } from './next-log.js';
import { checkBackup, type Checked, putBack, refuseWhereData } from './restore.js';

interface BackupOptions extends JsonOption {
  readonly move?: true;
}

interface RestoreOptions extends JsonOption {
  readonly check?: true;
  readonly endMandates?: true;
  readonly despiteBreaches?: true;
  readonly sameLog?: string;
  readonly lost?: string;
}

const FOR_SERVERS =
  'the stores are servers, which have tools of their own. MongoDB first: mongodump --oplog, or a snapshot of its volumes; ' +
  'EventStoreDB after it: its files, the .chk files before the chunks, or a snapshot of a node. In that order the log holds ' +
  'all that the documents say was signed. Better still, stop the service for both. After they were put back, and before the ' +
  'service starts: alcada end-access (docs/operations.md, Back up)';

/** @throws UnusableHere where the stores are no files */
const embedded = (config: Config): Config => {
  if (config.servers !== null) throw new UnusableHere(FOR_SERVERS);
  return config;
};

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const lines = ({ madeAt, version, log, moved, files }: Manifest): readonly Line[] => [
  ['made', `${madeAt} by version ${version}${moved ? ', to move' : ''}`],
  ['log', log ? `up to position ${log.position}, ${log.at}` : 'empty'],
  ...files.map(({ name, bytes }): Line => [name, size(bytes)]),
];

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
  ['open', `${openText(log.open)}${log.open.length === 0 ? '' : ', which a start finishes'}`],
  ['keys', `${manifest.keys}, and they open`],
];

/** What an operator has to do after a restore, since no program knows what was lost. */
const SINCE = `
What happened after the backup is lost, and so is what was taken back: withdraw again the agents and mandates that
were revoked since, clients and travellers that were removed, secrets and passwords that were changed, and erase
again whom you erased. Travellers log in and let their agents in anew.
`;

interface Restored {
  /** null: nothing was put back. */
  readonly into: string | null;
  /** null: all stays in force. */
  readonly ended: EndedRevived | null;
  /** null: the transparency log goes on as it was. */
  readonly log: Succeeded | null;
}

export const logLines = ({ origin, successor, known, frozen }: Succeeded): readonly Line[] => [
  ['new log', `${successor}, with new keys: tell whoever pinned those of ${origin}, and its witnesses`],
  [
    'old log',
    `${count(frozen, 'entry', 'entries')}, which stay served${known > frozen ? `, of ${known} published` : ''}`,
  ],
];

const restoredHeading = ({ into, ended }: Restored, { manifest, log: { breachCount } }: Checked): string => {
  if (into !== null && ended === null)
    return `Moved into ${into}: nothing was ended. The next start builds the read models.`;
  if (into !== null) return `Restored into ${into}; the next start builds the read models.`;
  if (breachCount > 0)
    return `${count(breachCount, 'breach', 'breaches')}. Nothing was restored; --despite-breaches does all the same.`;
  return manifest.moved ? 'The backup is sound, and keeps all that is in force.' : 'The backup is sound.';
};

const checkedReport = ({ manifest, log, lost }: Checked): object => {
  const { events, streams, until, sealed, ledger, open, breaches, breachCount } = log;
  const shown = lost && { ...lost, head: lost.head && { size: lost.head.size, root: base64(lost.head.root) } };
  return {
    ...manifest,
    ...(shown && { lost: shown }),
    checked: { events, streams, until, sealed, ledger, open, breaches, breachCount },
  };
};

export const defineBackup = (backup: Command, { config, write, stderr }: Cli): void => {
  backup
    .argument('<folder>', 'a new folder')
    .option('--move', 'the server is stopped, and does not start on DATA_DIR again: all goes on where this is restored')
    .addHelpText(
      'after',
      `
What it holds is what a power cut at that moment would have left: everything that was answered before. Read
models are left out, and built anew. Keys, e-mails and hashes of passwords are in it: the folder is a secret.
Nothing starts on it: alcada restore puts it back, which ends all access, since the backup does not know what was
revoked after it. With --move nothing can be revoked after it, so its restore keeps everything.
Try it: alcada restore --check <folder>`,
    )
    .action(async (folder: string, options: BackupOptions) => {
      const { dataDir } = embedded(await config());
      const onProgress = progressLine('Backing up', stderr);
      const take = options.move ? moveAway : takeBackup;
      const made = await take({ dataDir, into: folder, clock: new SystemClock(), onProgress });
      const into = resolve(folder);
      const done = options.move ? `Moved away: nothing starts on ${resolve(dataDir)} any more.` : 'Backed up.';
      const heading = report(done, [['into', into], ...lines(made)]);
      write(options.json ? json({ into, ...made }) : `${heading}${warning(made)}`);
    });
};

export const defineRestore = (restore: Command, { config, write, stderr }: Cli): void => {
  restore
    .argument('<folder>', 'what alcada backup made')
    .option('--check', 'only check it, and say what it holds: nothing is written')
    .option('--despite-breaches', 'put it back although rules are broken in it, and stay broken')
    .option(
      '--same-log <checkpoint>',
      'go on with the same transparency log: the newest checkpoint that was published of it',
    )
    .option('--lost <place>', 'list what the old data folder has and the backup lacks; a checkpoint only counts')
    .option('--end-mandates', 'end every open mandate as well: some may have been revoked since')
    .addHelpText(
      'after',
      `
Every byte, page, hash, checksum and rule is looked at, and the log's tree is compared with what was signed.
Exit code 1: a rule is broken; 78: it is damaged, or unfinished, or DATA_DIR has data. KEY_ENCRYPTION_KEY has
to be the one of the server.
It ends every grant, login, code, request, remembered consent and signing key of the backup, before its files have
their names: what was revoked since would be in force again. A backup of alcada backup --move keeps them.
Open mandates stay, and are counted.
What was published after the backup is signed, and lost: so another transparency log begins, <origin>#2, with new keys,
and the old one stays served as far as it is known, below /tlog/1. --same-log goes on with it, where the newest
published checkpoint has no more entries than the backup.`,
    )
    .action(async (folder: string, options: RestoreOptions) => {
      const settings = embedded(await config());
      if (!options.check) refuseWhereData(settings.dataDir);
      const checked = await checkBackup(folder, settings, options, progressLine('Checking', stderr));
      const { manifest, log } = checked;
      const { breaches, breachCount } = log;
      const isPutBack = !options.check && (breachCount === 0 || options.despiteBreaches === true);
      let restored: Restored = { into: null, ended: null, log: null };
      if (isPutBack) {
        if (manifest.moved) await spend(folder, manifest);
        const done = await putBack(folder, manifest, settings, async (ports) => {
          if (manifest.moved) return { ended: null, log: null };
          // The next log first: whatever is written from here on is sealed in it.
          const head = checked.lost?.head ?? null;
          const next = options.sameLog === undefined ? await succeedLog(ports, settings, head) : null;
          return { ended: await endRevived(ports, settings, options.endMandates ?? false), log: next };
        });
        restored = { into: resolve(settings.dataDir), ...done };
      }
      const { into, ended, log: next } = restored;
      if (options.json) write(json({ restoredInto: into, ended, tlog: next, ...checkedReport(checked) }));
      else {
        const said = [...checkedLines(checked), ...(ended ? endedLines(ended) : []), ...(next ? logLines(next) : [])];
        const lost = checked.lost ? lostText(checked.lost) : '';
        write(report(restoredHeading(restored, checked), said) + breachTable(breaches) + lost + (ended ? SINCE : ''));
      }
      if (breachCount > 0 && !isPutBack) throw new BreachesFound(count(breachCount, 'breach', 'breaches'));
    });
};
