import type { Work } from '../index.js';
import type { Notes } from './notes.program.js';

/**
 * Notes every text of a message in the writing thread; tells the error of each, or null, and what it reads then. For `count`
 * it tells how many notes a stranger sees, in the place of the error.
 */
export const work: Work<Notes, string> = (file, port, mark) => {
  const note = async (text: string): Promise<string | null> => {
    try {
      if (text === 'count') return String(await file.write('countedOutside'));
      await (text === 'reply' ? file.write('reply', 99) : file.write('note', `${mark} ${text}`));
      return null;
    } catch (error) {
      return error instanceof Error ? error.name : String(error);
    }
  };
  port.on('message', (texts: readonly string[] | null) => {
    if (texts === null) port.close();
    else {
      void Promise.all(texts.map(note)).then((outcomes) =>
        port.postMessage([outcomes, file.reader.prepare('SELECT text FROM notes ORDER BY id').pluck().all()]),
      );
    }
  });
  return Promise.resolve();
};
