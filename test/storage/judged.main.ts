/** Starts on one damaged folder after another, and says what came of it. In a process of its own: some damage may end it. */
import { readFile } from 'node:fs/promises';
import { type Dependencies, operatorMessage } from '#runtime';
import { type Books, booksOf, breachesOf, differenceOf } from './books.js';
import { served } from './served.js';

/** A folder, and the file with the books of the moments that it may be of. */
export interface Case {
  readonly folder: string;
  readonly books: string;
}

/** What came of a start: it serves the books of a moment or of one before, says why not, fails, or is wrong. */
export interface Judged {
  readonly outcome: 'right' | 'earlier' | 'refused' | 'failed' | 'wrong';
  readonly detail: string;
}

const compared = async (dependencies: Dependencies, { folder, books }: Case): Promise<Judged> => {
  const moments = JSON.parse(await readFile(books, 'utf8')) as readonly Books[];
  const found = await booksOf(dependencies, folder);
  const differences = moments.map((moment) => differenceOf(found, moment));
  if (differences.includes(null)) return { outcome: 'right', detail: '' };
  const [breach] = await breachesOf(dependencies);
  const [difference] = differences;
  if (breach === undefined) return { outcome: 'earlier', detail: difference ?? '' };
  return { outcome: 'wrong', detail: `${breach}; ${difference ?? ''}` };
};

const judge = async (one: Case): Promise<Judged> => {
  try {
    return await served(one.folder, (dependencies) => compared(dependencies, one));
  } catch (error) {
    const message = operatorMessage(error);
    if (message !== null) return { outcome: 'refused', detail: message };
    return { outcome: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

process.on('message', (one: Case) => {
  void judge(one).then((judged) => process.send?.(judged));
});
process.send?.('ready');
