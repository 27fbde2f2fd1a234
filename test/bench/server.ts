import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeCatalog } from '../support/catalog.js';
import { flights } from './flights.js';

/** The service as it is delivered, in a process of its own. */
export interface Server {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** A folder with a catalogue that has seats for every order of a bench; deleted afterwards. */
export const withFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'alcada-bench-'));
  try {
    await writeCatalog(folder, flights());
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Starts it with nothing bounded but by the machine, and as `environment` says. */
export const startServer = async (
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const env = {
    PORT: '0',
    DATA_DIR: folder,
    CATALOG_FILE: join(folder, 'catalogue.json'),
    LOG_LEVEL: 'warn',
    LIMIT_OPEN_MANDATES: '0',
    LIMIT_REFUSED_CARDS: '0',
    LIMIT_OPERATIONS: '0',
    LIMIT_PUBLIC_READS: '0',
    LIMIT_TOKEN_REQUESTS: '0',
    ...environment,
  };
  const server = spawn(process.execPath, [resolve('dist/apps/api/src/main.js')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'], // a log that nobody reads would stop it
  });
  let said = '';
  for await (const chunk of server.stderr) {
    said += String(chunk);
    const [, origin] = /Listens on\s+(\S+)\n/.exec(said) ?? [];
    if (origin === undefined) continue;
    return {
      origin,
      stop: async () => {
        server.kill('SIGTERM');
        await once(server, 'exit');
      },
    };
  }
  throw new Error(`the server did not start:\n${said}`);
};
