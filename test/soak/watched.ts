import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../support/stores.js';

/** What a process takes of the machine at a moment, as `watching.main.ts` sees it from within. */
export interface Reading {
  /** Bytes. */
  readonly rss: number;
  readonly heapUsed: number;
  /** Sockets that are still in memory, after all garbage was collected; null: not asked for. */
  readonly sockets: number | null;
  /** Open files of every kind; null where the system does not tell. */
  readonly descriptors: number | null;
  /** Open TCP connections. */
  readonly connections: number;
  /** Timers that wait. */
  readonly timers: number;
  /** The event loop's delay (ms) since the last reading, 99th percentile. */
  readonly delay: number;
  /** CPU time (ms) since the start, of all threads. */
  readonly cpu: number;
}

/** A process of the service, and what it takes. */
export interface Watched {
  readonly origin: string;
  readonly read: () => Promise<Reading>;
  /** The same after all garbage was collected, with the number of sockets. */
  readonly readExactly: () => Promise<Reading>;
  readonly stop: () => Promise<void>;
}

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts the service as it is delivered, with exactly these variables, and watches it from within. */
export const startWatched = async (environment: Environment): Promise<Watched> => {
  const child = fork(built('../../apps/api/src/main.js'), {
    env: { PORT: '0', PASSWORD_COST: '10', LOG_LEVEL: 'warn', ...environment },
    execArgv: ['--import', built('watching.main.js')],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  const ended = once(child, 'exit');
  const ask = async (isExact: boolean): Promise<Reading> => {
    child.send(isExact);
    const [reading] = (await once(child, 'message')) as [Reading];
    return reading;
  };
  const originNow = () => /Listens on\s+(\S+)\n/.exec(said)?.[1];
  while (originNow() === undefined) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it did not start:\n${said}`);
    await Promise.race([child.stderr && once(child.stderr, 'data'), ended]);
  }
  return {
    origin: originNow() ?? '',
    read: () => ask(false),
    readExactly: () => ask(true),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
