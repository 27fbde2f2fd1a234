import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeCatalog } from '../support/catalog.js';
import { flights } from './flights.js';
import { built } from '../support/built.js';
import { originOf } from '../support/real-process.js';

export interface Server {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** A folder of its own below the system's temporary one; deleted afterwards. */
export const withEmptyFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The same with a catalogue that has seats for every order of a bench. */
export const withFolder = <Result>(work: (folder: string) => Promise<Result>): Promise<Result> =>
  withEmptyFolder(async (folder) => {
    await writeCatalog(folder, flights());
    return work(folder);
  });

/** Nothing is bounded but by the machine. A tree that does not know one of the limits does not have it either. */
const unbounded = (folder: string): Environment => ({
  PORT: '0',
  DATA_DIR: folder,
  CATALOG_FILE: join(folder, 'catalogue.json'),
  LOG_LEVEL: 'warn',
  LIMIT_OPEN_MANDATES: '0',
  LIMIT_REFUSED_CARDS: '0',
  LIMIT_OPERATIONS: '0',
  LIMIT_PUBLIC_READS: '0',
  LIMIT_TOKEN_REQUESTS: '0',
});

/** How the `start` of a built tree calls Node: its flags are part of what is measured. */
const flagsOf = (tree: string): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [, called = ''] = scripts.start.split('node ');
  return called.split(' ').filter((word) => word.startsWith('--'));
};

/** Milliseconds of CPU that a process has had in all threads (proc(5): its ticks are hundredths of a second). */
export const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

const builtIn = (tree: string | undefined, program: string): string =>
  tree === undefined ? built(program) : resolve(tree, 'dist', program);

/** Starts the service of a built tree, this one where no other is named, or another program that says where it listens. */
export const startServer = async (
  folder: string,
  environment: Environment = {},
  tree?: string,
  program = 'apps/api/src/main.js',
): Promise<Server & { readonly pid: number }> => {
  const child = spawn(process.execPath, [...flagsOf(tree ?? '.'), builtIn(tree, program)], {
    cwd: tree,
    env: { ...unbounded(folder), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'], // a log that nobody reads would stop it
  });
  return { origin: await originOf(child), pid: child.pid ?? 0, stop: () => ended(child) };
};

/** A process that keeps read models up to date beside the API, where servers hold the log and the documents. */
export const startProjector = async (
  folder: string,
  environment: Environment,
  tree?: string,
): Promise<Pick<Server, 'stop'> & { readonly pid: number }> => {
  const child = spawn(process.execPath, [builtIn(tree, 'apps/projector/src/main.js')], {
    cwd: tree,
    env: { ...unbounded(folder), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'spawn');
  return { pid: child.pid ?? 0, stop: () => ended(child) };
};

/** API processes and a projector over the servers that the environment names; null where it names none. */
export const startOnServers = async (folder: string, apis = 1, tree?: string) => {
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  if (!EVENTSTORE_URL || !MONGODB_URL) return null;
  const name = `bench-${randomUUID().slice(0, 8)}`;
  const own = { EVENTSTORE_URL, MONGODB_URL, EVENTSTORE_NAMESPACE: name, MONGODB_DATABASE: `alcada-${name}` };
  const projector = await startProjector(folder, own, tree);
  const started: Awaited<ReturnType<typeof startServer>>[] = [];
  for (let count = 0; count < apis; count += 1) started.push(await startServer(folder, own, tree));
  const stop = async () => {
    for (const one of [...started, projector]) await one.stop();
  };
  return { apis: started, projector, stop };
};
