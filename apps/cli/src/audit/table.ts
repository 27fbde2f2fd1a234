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
