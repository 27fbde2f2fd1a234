/** A line of a table: what was measured, and what came of it. */
export type Row = readonly [what: string, figure: string];

/** Prints figures under a title, readable at a glance. */
export const printTable = (title: string, rows: readonly Row[]): void => {
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, figure]) => `  ${what.padEnd(width)}  ${figure}`);
  console.log(['', title, '', ...lines, ''].join('\n'));
};
