import { execFile } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TcpProxy } from '#testing';
import { hostOf, through as eventsThrough } from '../../libs/event-store/src/testing/index.js';
import { proxyTo, through as documentsThrough } from '../../libs/documents/src/testing/index.js';
import type { Environment } from './stores.js';

/** How long (ms) a server is away: longer than every time-out on the way to it. */
const AWAY = 2_500;

/** One of the two servers, as a process that uses it sees it. */
export interface BreakableServer {
  readonly name: string;
  /** Takes it away and brings it back. `whileAway` runs in between. */
  readonly restart: (whileAway: () => void | Promise<void>) => Promise<void>;
}

/** The environment's servers behind lines that go down, or restarted by `RESTART_EVENTSTORE`, `RESTART_MONGODB`. */
export const breakableServers = async (environment: Environment) => {
  const { EVENTSTORE_URL = '', MONGODB_URL = '' } = environment;
  const [events, documents] = await Promise.all([TcpProxy.to(hostOf(EVENTSTORE_URL)), proxyTo(MONGODB_URL)]);
  return {
    environment: {
      ...environment,
      EVENTSTORE_URL: eventsThrough(EVENTSTORE_URL, events.port),
      MONGODB_URL: documentsThrough(MONGODB_URL, documents),
    },
    servers: [
      breakable('EventStoreDB', events, process.env['RESTART_EVENTSTORE']),
      breakable('MongoDB', documents, process.env['RESTART_MONGODB']),
    ] as const,
    close: async () => {
      await Promise.all([events.close(), documents.close()]);
    },
  };
};

const breakable = (name: string, line: TcpProxy, command: string | undefined): BreakableServer => ({
  name,
  restart: async (whileAway) => {
    if (command !== undefined) {
      await Promise.all([promisify(execFile)('sh', ['-c', command]), whileAway()]);
      return;
    }
    await line.goDown();
    await Promise.all([sleep(AWAY), whileAway()]);
    await line.restore();
  },
});
