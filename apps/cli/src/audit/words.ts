import { InvalidArgumentError } from 'commander';
import type { Instant } from '#kernel';
import type { Breach } from '#verifier';
import { table } from './table.js';

/** Rules were broken. The report has told which. */
export class BreachesFound extends Error {
  override readonly name = 'BreachesFound';
}

/** An instant as people give it on a command line. */
export const instantOf = (value: string): Instant => {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new InvalidArgumentError('give a time such as 2026-01-15 or 2026-01-15T12:00:00Z.');
  return new Date(time).toISOString();
};

/** Breaches as a table, after an empty line; nothing where there are none. */
export const breachTable = (breaches: readonly Breach[]): string => {
  if (breaches.length === 0) return '';
  const rows = breaches.map(({ rule, stream, revision, message }) => {
    return [rule, revision === null ? stream : `${stream}@${revision}`, message];
  });
  return `\n${table(['rule', 'where', 'what'], rows)}`;
};
