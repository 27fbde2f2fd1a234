import { randomBytes } from 'node:crypto';
import { afterAll, describe, it } from '@jest/globals';
import { type Db, MongoClient } from 'mongodb';
import type { Clock } from '#kernel';
import { MongoDocuments } from '../documents.mongodb.js';

/** A running MongoDB and a database in it that nobody else uses. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** The driver's own door, for what the port does not show. */
  readonly raw: Db;
  /** An empty store in it. */
  readonly openEmpty: (clock: Clock) => Promise<MongoDocuments>;
}

/** Runs cases against the MongoDB of `MONGODB_URL`, in a database that is dropped after them; without it, skips them. */
export const overMongoDb = (title: string, cases: (database: TestDatabase) => void): void => {
  const url = process.env['MONGODB_URL'];
  if (!url) {
    it.skip(`${title}: skipped, MONGODB_URL is not set`, () => undefined);
    return;
  }
  describe(title, () => {
    const client = new MongoClient(url);
    const name = `alcada-test-${randomBytes(6).toString('hex')}`;
    const raw = client.db(name);
    afterAll(async () => {
      await raw.dropDatabase();
      await client.close();
    });
    const openEmpty = async (clock: Clock): Promise<MongoDocuments> => {
      await raw.dropDatabase();
      return MongoDocuments.open({ url, database: name, clock });
    };
    cases({ url, name, raw, openEmpty });
  });
};
