import type { Config } from '#config';
import { closePorts, openPorts, type Ports } from '#runtime';
import { UnusableFile } from '#sqlite';

/**
 * Does `work` on the stores: embedded with the server stopped, since one process has them to itself; else beside the others.
 *
 * @throws UnusableFile
 */
export const withStores = async <Result>(config: Config, work: (ports: Ports) => Promise<Result>): Promise<Result> => {
  const ports = await open(config);
  try {
    return await work(ports);
  } finally {
    await closePorts(ports);
  }
};

const open = async (config: Config): Promise<Ports> => {
  try {
    return await openPorts(config);
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    throw new UnusableFile(`${error.message}\nIf a server runs on ${config.dataDir}, stop it first.`, { cause: error });
  }
};
