import { concat } from './bytes.js';

/** The most bytes of a line, its newline aside: no file makes its reader keep more. */
export const LONGEST_LINE = 1_048_576;

/** A line without its newline, or why it is none. */
export type Line = { readonly bytes: Uint8Array } | { readonly fault: string };

const NEWLINE = 0x0a;

/** The lines of a file, each ended by a newline and by nothing else. What has none at the end is a fault, too. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length <= LONGEST_LINE) parts.push(part);
    else parts = [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield length > LONGEST_LINE ? { fault: `it is longer than ${LONGEST_LINE} bytes` } : { bytes: concat(...parts) };
      [parts, length, start] = [[], 0, end + 1];
    }
    add(chunk.slice(start)); // a copy: what a stream reads next may lie in the same place
  }
  if (length > 0) yield { fault: 'no newline ends it' };
}
