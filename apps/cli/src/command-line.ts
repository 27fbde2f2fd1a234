import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config';
import { openRegistry, type Registry } from '#oauth';
import {
  type ArgumentOf,
  askServer,
  closePorts,
  createLogger,
  type Dependencies,
  dependenciesOn,
  oauthSettings,
  openPorts,
  openPortsToRead,
  operate,
  type Operation,
  type Ports,
  progressLine,
  type ResultOf,
  type Screen,
} from '#runtime';
import { UnusableFile } from '#sqlite';

export interface Cli {
  /** Reads the configuration, which help does not need. @throws InvalidConfig */
  readonly config: () => Promise<Config>;
  readonly write: (text: string) => void;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: Screen;
  /** Whether npm took an option of this name for one of its own: `npm run demo --traffic`, without a `--` before it. */
  readonly npmKept: (option: string) => boolean;
}

export type Line = readonly [label: string, value: string];

export const report = (heading: string, lines: readonly Line[] = []): string => {
  const width = Math.max(0, ...lines.map(([label]) => label.length));
  return `${heading}\n${lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`).join('')}`;
};

export const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** `--json`, which every command has that prints anything. */
export interface JsonOption {
  readonly json?: true;
}

/** What a command found or did: as JSON where that is asked for, else as a report. */
export const printed = (
  { json: isJson }: JsonOption,
  found: unknown,
  heading: string,
  lines: readonly Line[] = [],
): string => (isJson ? json(found) : report(heading, lines));

type Run<Opened> = <Result>(config: Config, work: (opened: Opened) => Promise<Result>) => Promise<Result>;

const runningOn =
  (open: (config: Config) => Promise<Ports>): Run<Ports> =>
  async (config, work) => {
    const ports = await open(config);
    try {
      return await work(ports);
    } finally {
      await closePorts(ports);
    }
  };

const opening = async (config: Config, advice: string): Promise<Ports> => {
  try {
    return await openPorts(config);
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    throw new UnusableFile(`${error.message}\nIf a server runs on ${config.dataDir}, ${advice}.`, { cause: error });
  }
};

/** Who only reads makes nothing: a mistyped folder has no data, and still is none afterwards. */
const openToRead = async (config: Config): Promise<Ports> => {
  try {
    return await openPortsToRead(config);
  } catch (error) {
    if (!(error instanceof UnusableFile) || !isNowhere(error.cause)) throw error;
    const hasLog = existsSync(join(config.dataDir, 'events.db'));
    throw new UnusableFile(
      hasLog
        ? `${error.message}; documents.db is never built anew, and read-models.db by the next start of the server`
        : `there is no data in ${config.dataDir}: is DATA_DIR right?`,
    );
  }
};

const isNowhere = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Runs `work` on the stores; embedded ones need the server stopped, servers are shared. @throws UnusableFile */
export const withStores = runningOn((config) => opening(config, 'stop it first'));

/** Runs `work`, which only reads, on the stores: beside a running server, too. @throws UnusableFile */
export const withStoresToRead = runningOn(openToRead);

const withOwnStores = runningOn((config) => opening(config, 'it begins or ends just now: run this again'));

/** What is built on the stores; a line on standard error says of each order that a command ends what became of it. */
export const dependenciesOf = (ports: Ports, config: Config, stderr: Screen): Promise<Dependencies> =>
  dependenciesOn(ports, config, createLogger(config.logLevel, { write: (line) => void stderr.write(line) }));

/** Has a running server of this folder do it, or else does the same itself. @throws UnusableFile, and what the operation does */
export const operated = async <Name extends Operation>(
  { config: configured, stderr }: Cli,
  name: Name,
  argument: ArgumentOf<Name>,
): Promise<ResultOf<Name>> => {
  const config = await configured();
  const answer = await askServer(config, name, argument);
  if (answer) return answer.result;
  return withOwnStores(config, (ports) => {
    const dependencies = () => dependenciesOf(ports, config, stderr);
    const progress = (label: string) => progressLine(label, stderr);
    return operate(name, { config, ports, dependencies, progress }, argument);
  });
};

/** Runs `work`, which only reads, on the registered clients and travellers. @throws UnusableFile */
export const withRegistryToRead: Run<Registry> = (config, work) =>
  withStoresToRead(config, async (ports) => work(await openRegistry(ports, oauthSettings(config))));

/** What is made is never mixed with what is there. @throws UnusableFile where a folder has anything in it */
export const refuseUnlessEmpty = (folder: string): void => {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UnusableFile(`${folder} is not empty: name a new folder`);
};

/** Runs work until its end or the first SIGINT or SIGTERM, which aborts it with `reason`. A second one ends the process as usual. */
export const untilSignal = async (work: (signal: AbortSignal) => Promise<void>, reason?: Error): Promise<void> => {
  const ending = new AbortController();
  const end = () => ending.abort(reason);
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await work(ending.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
};
