import type { Config } from '#config';
import { openRegistry, type Registry } from '#oauth';
import { closePorts, oauthSettings, openPorts, type Ports } from '#runtime';
import { UnusableFile } from '#sqlite';

/** What commands work with. */
export interface Cli {
  /** Reads the configuration, which help does not need. @throws InvalidConfig */
  readonly config: () => Config;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
}

/** One line of a report: a label and its value. */
export type Line = readonly [label: string, value: string];

/** A heading and lines in columns, for people. */
export const report = (heading: string, lines: readonly Line[] = []): string => {
  const width = Math.max(0, ...lines.map(([label]) => label.length));
  return `${heading}\n${lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`).join('')}`;
};

/** One JSON document on a line of its own, for programs. */
export const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

/**
 * Runs `work` on the stores. Embedded stores belong to one process, so the server must be stopped; servers are shared.
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

/** Runs `work` on the registered clients and travellers. @throws UnusableFile */
export const withRegistry = <Result>(config: Config, work: (registry: Registry) => Promise<Result>): Promise<Result> =>
  withStores(config, async (ports) => work(await openRegistry(ports, oauthSettings(config))));
