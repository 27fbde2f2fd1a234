import { type Document, MongoServerError } from 'mongodb';
import { clientOf, databaseOf, durable } from './connection.mongodb.js';
import type { MongoDocumentsOptions } from './documents.mongodb.js';

/** What the login of a URL may do in a MongoDB, and what that says of itself. */
export interface MongoLook {
  /** Median time of a question. */
  readonly milliseconds: number;
  /** What its clock is ahead of this machine's, in ms. TTL indexes delete by it. */
  readonly clockAhead: number;
  /** What it may not do and has to, as MongoDB names it; null: the server does not say. */
  readonly missing: readonly string[] | null;
  /** Why a write is not confirmed by a majority; null: it is. */
  readonly unconfirmed: string | null;
}

/** What a service does in its database; the role `readWrite` has all of it. */
const ACTIONS = [
  'find',
  'insert',
  'update',
  'remove',
  'createCollection',
  'dropCollection',
  'createIndex',
  'listIndexes',
];
const COMMAND_NOT_FOUND = 59;
const QUESTIONS = 5;

/** Looks at a MongoDB, and writes nothing. Each call may take `patience` ms. @throws UnusableDatabase, or the driver's error */
export const look = async (
  { url, database }: Pick<MongoDocumentsOptions, 'url' | 'database'>,
  patience: number,
): Promise<MongoLook> => {
  const client = clientOf(url, patience);
  const name = database ?? databaseOf(url);
  const db = client.db(name, durable(patience));
  try {
    await db.command({ ping: 1 }); // connects
    const looks: { readonly time: number; readonly clockAhead: number }[] = [];
    for (let questions = 0; questions < QUESTIONS; questions += 1) {
      const [before, sent] = [performance.now(), Date.now()];
      const { localTime } = (await db.command({ hello: 1 })) as { readonly localTime: Date };
      const time = performance.now() - before;
      looks.push({ time, clockAhead: localTime.getTime() - sent - time / 2 });
    }
    const median = looks.sort((one, other) => one.time - other.time)[Math.floor(QUESTIONS / 2)];
    return {
      milliseconds: median?.time ?? 0,
      clockAhead: Math.round(median?.clockAhead ?? 0),
      missing: await db.command({ connectionStatus: 1, showPrivileges: true }).then(missingIn(name), unknown),
      // What is deleted is not there: only the majority is waited for.
      unconfirmed: await db.collection<{ _id: string }>('doctor').deleteOne({ _id: 'doctor' }).then(nothing, reason),
    };
  } finally {
    await client.close();
  }
};

/** Nobody has logged in where a server asks for no login: then everything is allowed. */
const missingIn =
  (database: string) =>
  ({ authInfo }: Document): readonly string[] => {
    const { authenticatedUsers, authenticatedUserPrivileges } = authInfo as {
      readonly authenticatedUsers: readonly unknown[];
      readonly authenticatedUserPrivileges: readonly {
        readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean };
        readonly actions: readonly string[];
      }[];
    };
    if (authenticatedUsers.length === 0) return [];
    const allowed = authenticatedUserPrivileges
      .filter(({ resource: { db, collection, anyResource } }) => {
        return anyResource === true || (collection === '' && (db === '' || db === database));
      })
      .flatMap(({ actions }) => actions);
    return ACTIONS.filter((action) => !allowed.includes(action));
  };

const unknown = (error: unknown): null => {
  if (error instanceof MongoServerError && error.code === COMMAND_NOT_FOUND) return null;
  throw error;
};

const nothing = () => null;
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
