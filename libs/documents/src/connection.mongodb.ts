import { setTimeout as delay } from 'node:timers/promises';
import { type Db, MongoClient, MongoError, MongoServerError, ReadConcern, ReadPreference, WriteConcern } from 'mongodb';
import { DocumentsUnavailable, DuplicateDocument } from './documents.port.js';
import { UnusableDatabase } from './unusable-database.js';

/** Where MongoDB is, and how long (ms) is waited for it. */
export interface ConnectionOptions {
  readonly url: string;
  /** The database; by default the one the URL names, else `alcada`. */
  readonly database?: string;
  /** For one call to it, before `DocumentsUnavailable`. */
  readonly timeout?: number;
  /** For it to be reached at the start. */
  readonly patience?: number;
}

const TIMEOUT = 5_000;
const PATIENCE = 30_000;
const RETRY_AFTER = 250;
/** Connections of one process. */
const POOL = 64;
/** Codes of the server for a login that will not come right by waiting: Unauthorized, AuthenticationFailed, Atlas's own. */
const LOGIN_REFUSED: readonly unknown[] = [13, 18, 8000];
const DUPLICATE_KEY = 11_000;

/**
 * A database of MongoDB, in which every acknowledged write is on the disks of a majority, and every read sees what was
 * acknowledged before it (ADR 0040). What its driver throws becomes the port's errors.
 */
export class Connection {
  private readonly underWay = new Set<Promise<unknown>>();
  private isClosed = false;

  private constructor(
    private readonly client: MongoClient,
    readonly database: Db,
    private readonly timeout: number,
  ) {}

  /** @throws UnusableDatabase where it cannot be reached for as long as `patience`, or refuses the login. */
  static async open({ url, database, timeout = TIMEOUT, patience = PATIENCE }: ConnectionOptions): Promise<Connection> {
    const step = Math.ceil(timeout * 0.8); // so that the step which fails is the one that is told
    const client = clientOf(url, step);
    const connection = new Connection(client, client.db(database ?? databaseOf(url), durable(step)), timeout);
    const until = performance.now() + patience;
    for (;;) {
      try {
        await connection.ask((db) => db.command({ ping: 1 }));
        return connection;
      } catch (error) {
        const isFinal = loginIsRefused(error) || performance.now() >= until;
        if (!isFinal) await delay(RETRY_AFTER);
        else {
          await client.close();
          throw new UnusableDatabase(`MongoDB at ${hostsOf(client)} cannot be used: ${told(error)}`, { cause: error });
        }
      }
    }
  }

  /**
   * Asks the database something that the driver answers within the time-out.
   *
   * @throws DuplicateDocument where a unique index refuses; DocumentsUnavailable, after which it may or may not be done.
   */
  async ask<Answer>(question: (database: Db) => Promise<Answer>): Promise<Answer> {
    if (this.isClosed) throw new DocumentsUnavailable('the connection to MongoDB is closed');
    const answer = question(this.database);
    const settled = answer.then(forget, forget).finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
    try {
      return await this.inTime(answer);
    } catch (error) {
      throw portError(error);
    }
  }

  /** Waits for what is under way, which the time-outs bound. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.underWay);
    await this.client.close();
  }

  /** The driver's time-outs each bound a step (finding a server, a connection, an answer); this one bounds their sum. */
  private inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new DocumentsUnavailable(`MongoDB did not answer within ${this.timeout} ms`));
      }, this.timeout);
      answer.then(resolve, reject).finally(() => {
        clearTimeout(late);
      });
    });
  }
}

const forget = (): void => undefined;

/** Said of the client and of the database, since some of what an address says goes before what is said of a client. */
const durable = (wtimeoutMS: number) => ({
  writeConcern: new WriteConcern('majority', wtimeoutMS, true),
  readConcern: new ReadConcern('majority'),
  readPreference: ReadPreference.primary,
});

const clientOf = (url: string, step: number): MongoClient => {
  try {
    return new MongoClient(url, {
      ...durable(step),
      appName: 'alcada',
      retryWrites: true,
      retryReads: true,
      maxPoolSize: POOL,
      waitQueueTimeoutMS: step,
      serverSelectionTimeoutMS: step,
      connectTimeoutMS: step,
      socketTimeoutMS: step,
    });
  } catch (error) {
    throw new UnusableDatabase(`the address of MongoDB cannot be used: ${told(error)}`);
  }
};

const databaseOf = (url: string): string => {
  const named = /^[^/]+\/\/[^/?]+\/([^?]+)/.exec(url)?.[1];
  return named === undefined ? 'alcada' : decodeURIComponent(named);
};

const hostsOf = ({ options }: MongoClient): string =>
  options.srvHost ?? options.hosts.map((host) => host.toString()).join(', ');

/** What went wrong, without what stands before an @: it would be a user's name and password. */
const told = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\/\/\S*@/g, '//');

const loginIsRefused = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof MongoServerError && LOGIN_REFUSED.includes(error.cause.code);

const portError = (error: unknown): unknown => {
  if (!(error instanceof MongoError)) return error;
  // The server's message quotes the values, which may be personal: it stays in the cause of nothing.
  if (error.code === DUPLICATE_KEY) return new DuplicateDocument('a document with this id or these values exists');
  return new DocumentsUnavailable(`MongoDB: ${error.message}`, { cause: error });
};
