import { execFile } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TcpProxy } from '#testing';
import { hostOf, through as eventsThrough } from '../../libs/event-store/src/testing/index.js';
import { ReplicaSet } from '../../libs/documents/src/testing/index.js';
import type { Environment } from './stores.js';

/** How long (ms) a server is away: longer than every time-out on the way to it. */
const AWAY = 2_500;

/** How long (ms) MongoDB has no primary. */
const ELECTION = 1_000;

/** What of the servers breaks, as a process that uses them sees it. */
export interface BreakableServer {
  readonly name: string;
  /** Takes it away and brings it back. `whileAway` runs in between. */
  readonly restart: (whileAway: () => void | Promise<void>) => Promise<void>;
}

/** The environment's servers behind lines that go down, or restarted by `RESTART_EVENTSTORE`, `RESTART_MONGODB`; MongoDB as a replica set, whose primary dies. */
export const breakableServers = async (environment: Environment) => {
  const { EVENTSTORE_URL = '', MONGODB_URL = '' } = environment;
  const [events, documents] = await Promise.all([TcpProxy.to(hostOf(EVENTSTORE_URL)), ReplicaSet.before(MONGODB_URL)]);
  return {
    environment: {
      ...environment,
      EVENTSTORE_URL: eventsThrough(EVENTSTORE_URL, events.port),
      MONGODB_URL: documents.url,
    },
    servers: [
      breakable('EventStoreDB', events, process.env['RESTART_EVENTSTORE']),
      breakable('MongoDB', documents, process.env['RESTART_MONGODB']),
      primaryOf(documents),
    ] as const,
    close: async () => {
      await Promise.all([events.close(), documents.close()]);
    },
  };
};

type Line = Pick<TcpProxy, 'goDown' | 'restore'>;

/** It dies with what is on its way, and the other one is elected. */
const primaryOf = (documents: ReplicaSet): BreakableServer => ({
  name: 'the primary of MongoDB',
  restart: async (whileAway) => {
    documents.die();
    await Promise.all([sleep(ELECTION), whileAway()]);
    documents.elect();
  },
});

const breakable = (name: string, line: Line, command: string | undefined): BreakableServer => ({
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
