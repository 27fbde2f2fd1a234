import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type LogReport, verifyLog } from '#audit';
import type { Instant } from '#kernel';
import { progressLine } from '#runtime';
import { type Checkpoint, parseCheckpoint } from '#verifier';
import { type Cli, json, type Line, report, withStoresToRead } from '../command-line.js';
import { table } from './table.js';

/** How many open checkouts the report for people names. */
const SHOWN = 3;

interface Options {
  readonly since?: Instant | null;
  readonly checkpoint?: readonly string[];
  readonly json?: true;
}

/** Rules were broken. The report has told which. */
export class BreachesFound extends Error {
  override readonly name = 'BreachesFound';
}

const instantOf = (value: string): Instant => {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new InvalidArgumentError('give a time such as 2026-01-15 or 2026-01-15T12:00:00Z.');
  return new Date(time).toISOString();
};

const added = (file: string, files: readonly string[] = []): readonly string[] => [...files, file];

/** A checkpoint that somebody kept: the note as it was served, or its first three lines. */
export const checkpointIn = async (file: string): Promise<readonly [string, Checkpoint]> => {
  const note = await readFile(file, 'utf8');
  const [body] = note.split('\n\n');
  return [file, parseCheckpoint(`${(body ?? '').trimEnd()}\n`)];
};

const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const lines = ({ events, streams, until, took, sealed, open, ledger }: LogReport): readonly Line[] => [
  ['log', `${count(events, 'event')} of ${count(streams, 'stream')}, read in ${seconds(took.log)}`],
  ['until', until ? `${until.at}, position ${Number(until.position)}` : 'the log is empty'],
  ['sealed', sealed === null ? 'nothing yet' : count(sealed, 'entry', 'entries')],
  ['ledger', `${count(ledger.rows, 'row')} read in ${seconds(took.ledger)}, ${ledger.later} of later orders`],
  ['open', open.length === 0 ? 'no checkout' : `${count(open.length, 'checkout')}: ${someOf(open)}`],
];

/** The ids of a few orders. */
const someOf = (open: LogReport['open']): string =>
  open
    .slice(0, SHOWN)
    .map(({ orderId }) => orderId)
    .join(', ') + (open.length > SHOWN ? ', …' : '');

/** The report for people. */
const shown = (found: LogReport): string => {
  const { breaches, breachCount } = found;
  const heading = breachCount === 0 ? 'Every rule holds.' : `${count(breachCount, 'breach', 'breaches')}.`;
  const rows = breaches.map(({ rule, stream, revision, message }) => [
    rule,
    `${stream}${revision === null ? '' : `@${revision}`}`,
    message,
  ]);
  return report(heading, lines(found)) + (rows.length > 0 ? `\n${table(['rule', 'where', 'what'], rows)}` : '');
};

/** `alcada audit verify`: whether every chain and every rule holds. */
export const addVerifyCommand = (audit: Command, { config, write, stderr }: Cli): void => {
  audit
    .command('verify')
    .description('check every chain and every rule of the whole log; exit code 1 where one is broken')
    .option('--since <time>', 'judge only what happened since then', instantOf)
    .option('--checkpoint <file>', 'compare with a checkpoint that was kept elsewhere; may be repeated', added)
    .option('--json', 'print one JSON document')
    .action(async ({ since = null, checkpoint = [], json: asJson }: Options) => {
      const settings = config();
      const checkpoints = await Promise.all(checkpoint.map(checkpointIn));
      const onProgress = progressLine('log', stderr);
      const found = await withStoresToRead(settings, (ports) =>
        verifyLog(ports, { since, sealing: settings.keyEncryptionKeys, checkpoints, onProgress }),
      );
      write(asJson ? json(found) : shown(found));
      if (found.breachCount > 0) throw new BreachesFound(count(found.breachCount, 'breach', 'breaches'));
    });
};
