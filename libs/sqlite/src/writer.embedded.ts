/** The writing thread of one file: the only connection that writes to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { runBatch } from './batch.embedded.js';
import type { Call, Opened, WriterData } from './messages.js';
import { lockFile, openFile } from './open-file.embedded.js';
import type { Operations, Program } from './program.embedded.js';

const { file, program: url, durability } = workerData as WriterData;
const { program } = (await import(url)) as { readonly program: Program<Operations> };

const open = () => {
  const lock = lockFile(file);
  try {
    const db = openFile(file, program, durability);
    return { lock, db, operations: program.prepare(db) };
  } catch (error) {
    lock.exec('ROLLBACK');
    throw error;
  }
};

const serve = ({ lock, db, operations }: ReturnType<typeof open>): void => {
  parentPort?.on('message', (batch: readonly Call[] | null) => {
    if (batch) {
      parentPort?.postMessage(runBatch(db, operations, batch));
      return;
    }
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    lock.exec('ROLLBACK'); // the driver may keep the connection behind a closed handle
    lock.close();
    parentPort?.close();
  });
};

const tell = (opened: Opened) => parentPort?.postMessage(opened);

try {
  serve(open());
  tell({ unusable: null });
} catch (error) {
  tell({ unusable: error instanceof Error ? error.message : String(error) });
}
