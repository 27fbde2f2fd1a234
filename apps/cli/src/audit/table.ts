/** A table in columns, for people; the last column is as long as it is. */
export const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [heading, ...rows];
  const widths = heading.map((_, place) => Math.max(...all.map((row) => (row[place] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
};
