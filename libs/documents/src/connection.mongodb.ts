import { type Db, MongoClient, MongoError, MongoServerError, ReadConcern, ReadPreference, WriteConcern } from 'mongodb';
import { SystemClock, within } from '#kernel';
import { DocumentsUnavailable, DuplicateDocument, UnusableDatabase } from './documents.port.js';

/** Connections of one process. */
const POOL = 64;

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

const hostsOf = ({ options }: MongoClient): string =>
  options.srvHost ?? options.hosts.map((host) => host.toString()).join(', ');

/** What went wrong, without what stands before an @, which may be a user's name and password. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\/\/\S*@/g, '//');

export interface ConnectionOptions {
  readonly url: string;
  /** The database; by default the one the URL names, else `alcada`. */
  readonly database?: string;
  /** For one call to it, before `DocumentsUnavailable`. */
  readonly timeout?: number;
  /** For it to be reached at the start. */
  readonly patience?: number;
}

/** A driver's time-outs pass in real time, whatever clock the documents expire by. */
const CLOCK = new SystemClock();
const TIMEOUT = 5_000;
const PATIENCE = 30_000;
const RETRY_AFTER = 250;
/** How many connections of a client may be lost to calls that never end before the client is replaced. */
const LOST_CONNECTIONS = POOL / 4;
/** Codes of the server for a login that waiting does not mend: Unauthorized, AuthenticationFailed, Atlas's own. */
const LOGIN_REFUSED: readonly unknown[] = [13, 18, 8000];
const DUPLICATE_KEY = 11_000;

/** A MongoDB database: majority writes, and reads that see them (docs/adr/0040). A client that stays silent is replaced. */
export class Connection {
  private readonly underWay = new Set<Promise<unknown>>();
  private client: MongoClient;
  /** For what takes as long as it takes; null: nobody has asked for such a thing. */
  private patient: MongoClient | null = null;
  /** That of the client in use, once it is asked. To make one for each question would cost a tenth of the question. */
  private db: Db | null = null;
  /** Calls on the client in use that the driver has not ended, though all of its time-outs are over. */
  private endless = new Set<Promise<unknown>>();
  /** Since when (ms) the server has answered nothing; null: it answered the last call. */
  private silentSince: number | null = null;
  private isClosed = false;

  private constructor(
    private readonly url: string,
    private readonly database: string,
    private readonly timeout: number,
    /** How long (ms) each of the driver's steps may take. Less than a call, so that the error names the step that failed. */
    private readonly step = Math.ceil(timeout * 0.8),
  ) {
    this.client = clientOf(url, step);
  }

  /** @throws UnusableDatabase where it cannot be reached for as long as `patience`, or refuses the login. */
  static async open({ url, database, timeout = TIMEOUT, patience = PATIENCE }: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(url, database ?? databaseOf(url), timeout);
    const until = CLOCK.monotonic() + patience;
    for (;;) {
      try {
        await connection.ask((db) => db.command({ ping: 1 }));
        return connection;
      } catch (error) {
        const isFinal = loginIsRefused(error) || CLOCK.monotonic() >= until;
        if (!isFinal) await CLOCK.sleep(RETRY_AFTER);
        else {
          const hosts = hostsOf(connection.client);
          await connection.close();
          throw new UnusableDatabase(`MongoDB at ${hosts} cannot be used: ${reasonOf(error)}`, { cause: error });
        }
      }
    }
  }

  /** Asks the database within the time-out. @throws DuplicateDocument; DocumentsUnavailable, after which it may be done or not */
  async ask<Answer>(question: (database: Db) => Promise<Answer>): Promise<Answer> {
    if (this.isClosed) throw new DocumentsUnavailable('the connection to MongoDB is closed');
    const { client } = this;
    this.db ??= client.db(this.database, durable(this.step));
    const answer = this.inTime(question(this.db));
    const settled = answer.then(forget, forget).finally(() => this.underWay.delete(settled));
    this.underWay.add(settled);
    try {
      const answered = await answer;
      this.silentSince = null;
      return answered;
    } catch (error) {
      const failure = portError(error);
      const isSilent = failure instanceof DocumentsUnavailable && !(error instanceof MongoServerError);
      if (isSilent) this.renewIfDead(client);
      else this.silentSince = null;
      throw failure;
    }
  }

  /** Asks what takes as long as a collection is large, such as an index: cut off, it would begin again. @throws as `ask` */
  async askAtLength<Answer>(question: (database: Db) => Promise<Answer>): Promise<Answer> {
    if (this.isClosed) throw new DocumentsUnavailable('the connection to MongoDB is closed');
    this.patient ??= clientOf(this.url, this.step, 0);
    try {
      return await question(this.patient.db(this.database, durable(0)));
    } catch (error) {
      throw portError(error);
    }
  }

  /** Waits for what is under way, which the time-out bounds; what was asked at length is given up. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.underWay);
    await this.client.close();
    await this.patient?.close();
  }

  /** Bounds the sum of the driver's steps, whose own time-outs bound each, and the calls that the driver never ends. */
  private inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { endless } = this;
    const ended = answer.finally(() => endless.delete(ended));
    return within(CLOCK, this.timeout, ended, () => {
      endless.add(ended);
      throw new DocumentsUnavailable(`MongoDB did not answer within ${this.timeout} ms`);
    });
  }

  /** Replaces the client in use, if it is `failed` and seems to be dead. What is under way on it fails at once. */
  private renewIfDead(failed: MongoClient): void {
    const now = CLOCK.monotonic();
    this.silentSince ??= now;
    const isDead = now - this.silentSince >= this.step || this.endless.size >= LOST_CONNECTIONS;
    if (!isDead || this.isClosed || failed !== this.client) return;
    this.client = clientOf(this.url, this.step);
    this.db = null;
    this.endless = new Set();
    this.silentSince = null;
    failed.close().catch(forget);
  }
}

const forget = (): void => undefined;

const loginIsRefused = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof MongoServerError && LOGIN_REFUSED.includes(error.cause.code);

/** How sockets name their errors, which the driver passes on as they are where it writes to one that is at its end. */
const OF_A_SOCKET = /^(E[A-Z]+|ERR_(STREAM|SOCKET)_\w+)$/;

const isOfSocket = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && OF_A_SOCKET.test(error.code);

const portError = (error: unknown): unknown => {
  if (isOfSocket(error)) return new DocumentsUnavailable(`MongoDB: ${error.message}`, { cause: error });
  if (!(error instanceof MongoError)) return error;
  // The server's message quotes the values, which may be personal: it stays in the cause of nothing.
  if (error.code === DUPLICATE_KEY) return new DuplicateDocument('a document with this id or these values exists');
  return new DocumentsUnavailable(`MongoDB: ${error.message}`, { cause: error });
};
