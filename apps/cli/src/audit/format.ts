import { InvalidArgumentError } from 'commander';
import type { Amount, Breach, OpenCheckout } from '#verifier';
import type { Instant } from '#kernel';

const formats = new Map<string, Intl.NumberFormat>();

/** An amount as people read it in Brazil. */
export const readable = ({ amount, currency }: Amount): string => {
  const format = formats.get(currency) ?? new Intl.NumberFormat('pt-BR', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(amount / 100).replace(/\u00a0/g, ' ');
};

/** An amount as the other commands show it. */
export const amount = (value: Amount | null): string => (value ? readable(value) : '');

const CENTS = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 });

/** Cents of a currency that the heading names. */
export const cents = (value: number): string => CENTS.format(value / 100);

/** `2026-11-22 16:03` of an instant; the zone is said once. */
export const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

export const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

/** How many checkouts and cancellations are under way: `1 checkout, 2 cancellations`. */
export const openText = (open: readonly OpenCheckout[]): string => {
  const counted = (['checkout', 'cancellation'] as const).flatMap((kind) => {
    const number = open.filter(({ what }) => what === kind).length;
    return number === 0 ? [] : count(number, kind);
  });
  return counted.length === 0 ? 'no checkout' : counted.join(', ');
};

/** `3 d 4 h`, `2 h 5 min`, `41 s` of so many seconds. */
export const duration = (seconds: number): string => {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const from = parts.findIndex(([value]) => value > 0);
  const shown = from === -1 ? [[0, 's'] as const] : parts.slice(from, from + 2).filter(([value]) => value > 0);
  return shown.map(([value, unit]) => `${value} ${unit}`).join(' ');
};

/** A column: its heading, its width, and whether it is aligned to the right. The last one is as long as it is. */
export type Column = readonly [heading: string, width: number, align?: 'right'];

const fitted = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

interface Beside {
  readonly below?: readonly string[];
  readonly mark?: string;
}

/** A table that is written while it is read, with a heading for each new day; times are UTC. */
export class TimeTable {
  private day = '';

  /** `width`: characters of the time and of a mark beside it. */
  constructor(
    private readonly width: number,
    private readonly columns: readonly Column[],
    private readonly write: (text: string) => void,
  ) {}

  /** One row of an instant, what is to be said below it, and a mark beside the time. */
  row(at: string, cells: readonly string[], { below = [], mark = '' }: Beside = {}): void {
    const day = at.slice(0, 10);
    if (day !== this.day) {
      const headings = this.columns.map(([heading]) => heading);
      this.write(`\n${this.line(day, headings)}\n`);
      this.day = day;
    }
    this.write(`${this.line(`${at.slice(11, 19)} ${mark}`, cells)}\n`);
    for (const text of below) this.write(`${' '.repeat(this.width + 2)}${text}\n`);
  }

  private line(time: string, cells: readonly string[]): string {
    const padded = this.columns.map(([, width, align], place) => {
      const cell = cells[place] ?? '';
      if (place === this.columns.length - 1 && align !== 'right') return cell;
      const text = fitted(cell, width);
      return align === 'right' ? text.padStart(width) : text.padEnd(width);
    });
    return [time.padEnd(this.width), ...padded].join('  ').trimEnd();
  }
}

/** A table in columns, for people; the last column is as long as it is. `numbers`: those that are aligned to the right. */
export const table = (
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly string[] = [],
): string => {
  const all = [heading, ...rows];
  const widths = heading.map((_, place) => Math.max(...all.map((row) => (row[place] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, place) => {
        const width = widths[place] ?? 0;
        return numbers.includes(heading[place] ?? '') ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
};

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
