import { MongoClient, ReadConcern, ReadPreference, WriteConcern } from 'mongodb';
import { UnusableDatabase } from './documents.port.js';

/** Connections of one process. */
export const POOL = 64;

/** Set on the client and on the database, since some options of an address override those of the client. */
export const durable = (wtimeoutMS: number) => ({
  writeConcern: new WriteConcern('majority', wtimeoutMS, true),
  readConcern: new ReadConcern('majority'),
  readPreference: ReadPreference.primary,
});

/** A client that connects when first asked. `step`, `answer`: time-outs (ms), 0: as long as the server is there. @throws UnusableDatabase */
export const clientOf = (url: string, step: number, answer = step): MongoClient => {
  try {
    return new MongoClient(url, {
      ...durable(answer),
      appName: 'alcada',
      retryWrites: true,
      retryReads: true,
      maxPoolSize: POOL,
      waitQueueTimeoutMS: step,
      serverSelectionTimeoutMS: step,
      connectTimeoutMS: step,
      socketTimeoutMS: answer,
    });
  } catch (error) {
    throw new UnusableDatabase(`the address of MongoDB cannot be used: ${reasonOf(error)}`);
  }
};

/** The database that an address names, else `alcada`. */
export const databaseOf = (url: string): string => {
  const named = /^[^/]+\/\/[^/?]+\/([^?]+)/.exec(url)?.[1];
  return named === undefined ? 'alcada' : decodeURIComponent(named);
};

/** The hosts of a client, for the operator. */
export const hostsOf = ({ options }: MongoClient): string =>
  options.srvHost ?? options.hosts.map((host) => host.toString()).join(', ');

/** What went wrong, without what stands before an @, which may be a user's name and password. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\/\/\S*@/g, '//');
