import { importCatalogAlone, readCatalogFile } from '#catalog';
import { readConfig } from '#config';
import { createLogger, type Dependencies, openDependencies, opening } from '#runtime';

const logger = createLogger('silent');

/** Starts on a folder as the service does, but without HTTP and before lists have caught up, and runs `work` on it. */
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
