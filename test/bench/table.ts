import process from 'node:process';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

const GIGABYTE = 2 ** 30;

/** What every figure depends on: the machine, Node, what stands beneath the service, and the commit that is measured. */
const machine = (): string => {
  const [cpu] = cpus();
  const memory = `${(totalmem() / GIGABYTE).toFixed(0)} GB`;
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const beneath = ['fastify', '@nestjs/core', 'libsql'].map((name) => `${name} ${dependencies[name]}`).join(', ');
  return [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`,
    `${beneath}; commit ${commit()}`,
  ].join('; ');
};

/** The commit of this tree, with a star where files differ from it. */
const commit = (): string => {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '*'}`;
  } catch {
    return 'unknown';
  }
};

/** A line of a table: what was measured, and what came of it, in as many columns as the table has. */
export type Row = readonly [what: string, ...figures: string[]];

/** Prints figures under a title and the machine they are of, as a table that can go into docs/performance.md as it is. */
export const printTable = (title: string, rows: readonly Row[], columns: readonly string[] = ['']): void => {
  const all = [['', ...columns], ...rows];
  const widths = all[0]?.map((_, place) => Math.max(3, ...all.map((row) => row[place]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, place) => (cells[place] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = all;
  const rule = widths.map((width) => '-'.repeat(width));
  console.log(['', title, '', machine(), '', line(head), line(rule), ...body.map(line), ''].join('\n'));
};

/** The least widths of a table whose rows come one by one: of what is measured, and of a figure with its spread. */
const [WHAT, FIGURE] = [36, 12];

/** The same for a measurement that takes long: each row is printed as it comes. */
export const openTable = (title: string, columns: readonly string[]): ((row: Row) => void) => {
  const width = (place: number): number => (place === 0 ? WHAT : Math.max(FIGURE, columns[place - 1]?.length ?? 0));
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${cells.map((cell, place) => cell.padEnd(width(place), fill)).join(' | ')} |`;
  const head = ['', ...columns];
  console.log(
    [
      '',
      title,
      '',
      machine(),
      '',
      line(head),
      line(
        head.map(() => ''),
        '-',
      ),
    ].join('\n'),
  );
  return (row) => console.log(line(row));
};
