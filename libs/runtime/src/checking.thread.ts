/** Compares the large files of a data folder with their hashes and checksums, in the writing thread of the read models' file. */
import type { WorkOnDocuments } from '#documents';
import { SystemClock } from '#kernel';
import { reader } from '#sqlite';
import { type CheckingData, largeFiles } from './stored-form.js';

/** How long (ms) it does nothing after each piece, which takes some 3. */
const PAUSE = 25;

/** Reports the first damage. It is done, or stopped by a message, when it closes the port. */
export const work: WorkOnDocuments<CheckingData> = async (_file, port, { dataDir, small }) => {
  const clock = new SystemClock();
  const stopping = new AbortController();
  port.once('message', () => stopping.abort());
  const isStopping = () => stopping.signal.aborted; // it changes meanwhile
  for (const { path, damages } of largeFiles(dataDir, small)) {
    const db = reader(path);
    for (const damage of damages(db)) {
      if (damage !== null) port.postMessage(damage);
      await clock.sleep(PAUSE, stopping.signal);
      if (isStopping()) break;
    }
    db.close();
  }
  port.close();
};
