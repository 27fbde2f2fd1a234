import type { Work } from '../index.js';
import type { Notes } from './notes.program.js';

/** Notes every text in the writing thread; returns each error, and what it or (for `count`) a stranger then reads. */
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
