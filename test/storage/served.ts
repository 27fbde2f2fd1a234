import { importCatalogAlone, readCatalogFile } from '#catalog';
import { readConfig } from '#config';
import { createLogger, type Dependencies, openDependencies, opening } from '#runtime';

const logger = createLogger('silent');

/**
 * Starts on a folder as the service does, all but what answers HTTP, and runs `work` on it: what is not told is that the
 * lists are caught up with the log.
 */
export const served = async <Result>(
  folder: string,
  work: (dependencies: Dependencies) => Promise<Result>,
): Promise<Result> => {
  const config = readConfig({ DATA_DIR: folder, PASSWORD_COST: '10' });
  let close = (): Promise<void> => Promise.resolve();
  try {
    return await opening(logger, async (opened) => {
      close = () => opened.close();
      const dependencies = await openDependencies(config, 'test', logger, opened);
      const { aggregates, events, documents, readModels } = dependencies;
      await importCatalogAlone(aggregates, events, documents, await readCatalogFile(undefined));
      await readModels.start();
      const head = await events.head();
      if (head) await readModels.caughtUp(head.position);
      return await work(dependencies);
    });
  } finally {
    await close();
  }
};
