import { type Command, InvalidArgumentError } from 'commander';
import { type LogReport, verifyLog } from '#audit';
import type { Instant } from '#kernel';
import { progressLine } from '#runtime';
import { type Cli, json, type Line, report, withStoresToRead } from '../command-line.js';
import { table } from './table.js';

interface Options {
  readonly since?: Instant;
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

const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const lines = ({ events, streams, until, took }: LogReport): readonly Line[] => [
  ['read', `${count(events, 'event')} of ${count(streams, 'stream')} in ${seconds(took)}`],
  ['until', until ? `${until.at}, position ${Number(until.position)}` : 'the log is empty'],
];

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
    .option('--json', 'print one JSON document')
    .action(async ({ since, ...options }: Options) => {
      const onProgress = progressLine('log', stderr);
      const found = await withStoresToRead(config(), (ports) => verifyLog(ports, { since: since ?? null, onProgress }));
      write(options.json ? json(found) : shown(found));
      if (found.breachCount > 0) throw new BreachesFound(count(found.breachCount, 'breach', 'breaches'));
    });
};
