import { randomBytes } from 'node:crypto';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import type { Clock } from '#kernel';
import { tellNotGiven } from '#testing';
import type { Lack } from '../contract/setting.contract.js';
import { MongoDocuments } from '../documents.mongodb.js';

/** Cases about something else than time put more at once on a busy machine than a service would. */
const TIMEOUT = 20_000;

const NAMESPACE_NOT_FOUND = 26;

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** The driver itself, for what the port does not show. */
  readonly raw: Db;
  /** A store in it, after all that was in it is gone. Closed after the case, unless the caller closes it. */
  readonly openEmpty: (clock: Clock, isKept?: boolean) => Promise<MongoDocuments>;
  /** A store in it as another process has one. Closed after the case. */
  readonly open: (clock: Clock) => Promise<MongoDocuments>;
}

/** What a server lacks that MongoDB has. It is asked, whatever it calls itself. */
export const lacksOf = async (url: string | undefined): Promise<readonly Lack[]> => {
  if (!url) return [];
  const client = new MongoClient(url);
  const database = client.db(`alcada-test-${randomBytes(6).toString('hex')}`);
  const some = database.collection('some');
  try {
    const dropped = await refusal(database.command({ drop: 'none' }));
    const ofSome = { key: { a: 1 }, name: 'a', unique: true, partialFilterExpression: { a: { $exists: true } } };
    await some.createIndexes([ofSome]);
    const shared = await refusal(some.insertMany([{ b: 1 }, { b: 2 }]));
    return [
      ...(shared ? ['unique indexes of some documents only' as const] : []),
      ...(dropped && dropped.code !== NAMESPACE_NOT_FOUND ? ['codes for what is not there' as const] : []),
    ];
  } finally {
    await database.dropDatabase();
    await client.close();
  }
};

/** The server's no to a question; null: it had none. */
const refusal = async (question: Promise<unknown>): Promise<MongoServerError | null> => {
  try {
    await question;
    return null;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
};

/** Runs cases against the MongoDB of `MONGODB_URL`, in a database that is dropped after them; without it, skips them. */
export const overMongoDb = (title: string, cases: (database: TestDatabase) => void): void => {
  const url = process.env['MONGODB_URL'];
  if (!url) {
    tellNotGiven(title, 'MONGODB_URL');
    it.skip(`${title}: skipped, MONGODB_URL is not set`, () => undefined);
    return;
  }
  describe(title, () => {
    const client = new MongoClient(url);
    const name = `alcada-test-${randomBytes(6).toString('hex')}`;
    const raw = client.db(name);
    const opened: MongoDocuments[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });
    afterAll(async () => {
      await raw.dropDatabase();
      await client.close();
    });
    const open = async (clock: Clock, isKept = false): Promise<MongoDocuments> => {
      const store = await MongoDocuments.open({ url, database: name, clock, timeout: TIMEOUT });
      if (!isKept) opened.push(store);
      return store;
    };
    const openEmpty = async (clock: Clock, isKept = false): Promise<MongoDocuments> => {
      await raw.dropDatabase();
      return open(clock, isKept);
    };
    cases({ url, name, raw, open, openEmpty });
  });
};
