/** One line of what a person reads: a label and its value. */
export type Line = readonly [label: string, value: string];

/** A heading and lines in columns, as a person reads them. */
export const told = (heading: string, lines: readonly Line[] = []): string => {
  const width = Math.max(0, ...lines.map(([label]) => label.length));
  return `${heading}\n${lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`).join('')}`;
};

/** One JSON document on a line of its own, as a program reads it. */
export const json = (value: unknown): string => `${JSON.stringify(value)}\n`;
