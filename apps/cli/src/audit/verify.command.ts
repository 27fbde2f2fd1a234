import type { Command } from 'commander';
import { type LogReport, type ReadModelsReport, verifyLog, verifyReadModels } from '#audit';
import type { Config } from '#config';
import type { Instant } from '#kernel';
import { damageMessage, progressLine, PROJECTIONS, type Screen } from '#runtime';
import { UnusableFile } from '#sqlite';
import { type Cli, json, type Line, report, withStoresToRead } from '../command-line.js';
import { type BundleOptions, shownBundle, verifyBundleFile } from './verify-bundle.js';
import { BreachesFound, breachTable, count, instantOf, openText } from './format.js';
import { checkpointIn, refuseOthers } from './kept-checkpoints.js';

const SHOWN = 3;

interface Options extends Partial<BundleOptions> {
  readonly since?: Instant | null;
  readonly checkpoint?: readonly string[];
  /** Absent: they are compared. */
  readonly readModels: boolean;
  readonly json?: true;
}

/** What an audit found: breaches of the log and its ledger, and then those of the read models. */
export interface AuditReport extends LogReport {
  /** null: they were not looked at, or not to their end. */
  readonly readModels: Omit<ReadModelsReport, 'breaches'> | null;
  /** Why they could not be compared; null: they were, or nobody asked. */
  readonly unread: string | null;
  /** Those from elsewhere that the log was compared with. */
  readonly checkpoints: readonly { readonly file: string; readonly size: number }[];
}

const added = (file: string, files: readonly string[] = []): readonly string[] => [...files, file];

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const lines = (found: AuditReport): readonly Line[] => {
  const { events, streams, until, took, sealed, checkpoints, open, ledger, readModels, unread } = found;
  return [
    ['log', `${count(events, 'event')} of ${count(streams, 'stream')}, read in ${seconds(took.log)}`],
    ['until', until ? `${until.at}, position ${Number(until.position)}` : 'the log is empty'],
    ['sealed', sealed === null ? 'nothing yet' : count(sealed, 'entry', 'entries')],
    ...checkpoints.map(({ file, size }): Line => ['compared', `with ${file}, ${count(size, 'entry', 'entries')}`]),
    ['ledger', `${count(ledger.rows, 'row')} read in ${seconds(took.ledger)}, ${ledger.later} of later orders`],
    ['open', `${openText(open)}${open.length === 0 ? '' : `: ${someOf(open)}`}`],
    ['read models', unread ?? (readModels ? comparison(readModels) : 'not compared')],
  ];
};

const comparison = ({ upTo, compared, newer, took }: Omit<ReadModelsReport, 'breaches'>): string =>
  upTo === null
    ? 'none was ever built'
    : `${count(compared, 'document')} as of position ${Number(upTo)} in ${seconds(took)}, ${newer} newer`;

const someOf = (open: LogReport['open']): string =>
  open
    .slice(0, SHOWN)
    .map(({ orderId }) => orderId)
    .join(', ') + (open.length > SHOWN ? ', …' : '');

const shown = (found: AuditReport): string => {
  const { breaches, breachCount } = found;
  const sound = found.unread === null ? 'Every rule holds.' : 'Every rule holds in log and ledger.';
  const heading = breachCount === 0 ? sound : `${count(breachCount, 'breach', 'breaches')}.`;
  return report(heading, lines(found)) + breachTable(breaches);
};

/** What is damaged is reported with the breaches of the log, which may be the reason; any other failure is thrown. */
const audited = async (config: Config, options: Options, screen: Screen): Promise<AuditReport> => {
  const { since = null, checkpoint = [] } = options;
  const checkpoints = await Promise.all(checkpoint.map(checkpointIn));
  const sealing = config.keyEncryptionKeys;
  return withStoresToRead(config, async (ports) => {
    await refuseOthers(ports, config, checkpoints);
    const log = await verifyLog(ports, { since, sealing, checkpoints, onProgress: progressLine('log', screen) });
    const compared = checkpoints.map(([file, { size }]) => ({ file, size }));
    const onLog = { ...log, checkpoints: compared, readModels: null, unread: null };
    if (!options.readModels) return onLog;
    try {
      const onProgress = progressLine('read models', screen);
      const { breaches, ...readModels } = await verifyReadModels(PROJECTIONS, ports, onProgress);
      const breachCount = log.breachCount + breaches.length;
      return { ...onLog, breaches: [...log.breaches, ...breaches], breachCount, readModels };
    } catch (error) {
      const unread = damageMessage(error);
      if (unread === null) throw error;
      return { ...onLog, unread };
    }
  });
};

/** `alcada audit verify`: whether every chain and every rule holds. */
export const addVerifyCommand = (audit: Command, { config, write, stderr }: Cli): void => {
  audit
    .command('verify')
    .description('check every chain and every rule of the whole log; exit code 1 where one is broken')
    .option(
      '--since <time>',
      'judge only what happened since then, such as 2026-01-15 or 2026-01-15T12:00:00Z',
      instantOf,
    )
    .option('--checkpoint <file>', 'compare with a checkpoint that was kept elsewhere; may be repeated', added)
    .option('--no-read-models', 'leave the read models out, which are compared with a fresh fold of the log')
    .option('--bundle <file>', 'verify a bundle or a .tlog-proof instead, on any machine and without the server')
    .option('--key <vkey>', 'with --bundle: the key of the log, from where you trust it; may be repeated', added)
    .option('--policy <file>', 'with --bundle: the witnesses you ask for (c2sp.org/tlog-policy)')
    .option(
      '--log <url>',
      'with --bundle: read the log there, such as https://voos.example/tlog, as far as the bundle goes, and find what was left out',
    )
    .action(async ({ json: asJson, bundle, ...options }: Options) => {
      if (bundle !== undefined) {
        const found = await verifyBundleFile({ bundle, ...options });
        write(asJson ? json(found) : shownBundle(found));
        if (found.verdict === 'broken') throw new BreachesFound(count(found.breaches.length, 'breach', 'breaches'));
        return;
      }
      const found = await audited(await config(), options, stderr);
      write(asJson ? json(found) : shown(found));
      if (found.breachCount > 0) throw new BreachesFound(count(found.breachCount, 'breach', 'breaches'));
      if (found.unread !== null) throw new UnusableFile(`the read models were not compared: ${found.unread}`);
    });
};
