import { built } from '../support/built.js';
import { Forked } from '../support/forked.js';
import { originOf } from '../support/real-process.js';
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
  readonly connections: number;
  readonly timers: number;
  /** The event loop's delay (ms) since the last reading, 99th percentile. */
  readonly delay: number;
  /** CPU time (ms) since the start, of all threads. */
  readonly cpu: number;
}

export interface Watched {
  readonly origin: string;
  readonly read: () => Promise<Reading>;
  /** The same after all garbage was collected, with the number of sockets. */
  readonly readExactly: () => Promise<Reading>;
  readonly stop: () => Promise<void>;
}

/** Starts the service as it is delivered, with exactly these variables, and watches it from within. */
export const startWatched = async (environment: Environment): Promise<Watched> => {
  const service = new Forked('apps/api/src/main.js', [], {
    env: { PORT: '0', PASSWORD_COST: '10', LOG_LEVEL: 'warn', ...environment },
    execArgv: ['--import', built('test/soak/watching.main.js')],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return {
    origin: await originOf(service.child),
    read: () => service.ask(false),
    readExactly: () => service.ask(true),
    stop: () => service.end('SIGTERM'),
  };
};
