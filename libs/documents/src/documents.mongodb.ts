import { MongoServerError } from 'mongodb';
import type { Clock, Instant } from '#kernel';
import { Collection } from './collection.mongodb.js';
import { Connection, type ConnectionOptions } from './connection.mongodb.js';
import { type Document, DocumentsUnavailable } from './documents.port.js';
import { getGuarded, putGuarded } from './guarded-batch.mongodb.js';
import { indexesOf, undeclared } from './indexes.mongodb.js';
import { checkedName, type CollectionSpec, type Filter, isName, type Query } from './query.js';
import { type GuardedDocument, type GuardedWrite, ReadModelStore } from './read-model-store.port.js';
import { dateOf } from './stored-document.mongodb.js';

export interface MongoDocumentsOptions extends ConnectionOptions {
  readonly clock: Clock;
  /** One that only reads leaves collections and indexes as they are: those of the program that serves may be other ones. */
  readonly isToRead?: boolean;
}

/** Documents in MongoDB, for any number of processes, on atomic single documents, unique and TTL indexes, and bulks. */
export class MongoDocuments extends ReadModelStore {
  private readonly prepared = new Map<string, Collection>();

  private constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly isToRead: boolean,
  ) {
    super();
  }

  /** @throws UnusableDatabase with a message for the operator. */
  static async open({ clock, isToRead = false, ...options }: MongoDocumentsOptions): Promise<MongoDocuments> {
    return new MongoDocuments(await Connection.open(options), clock, isToRead);
  }

  async prepare(spec: CollectionSpec): Promise<void> {
    const name = checkedName(spec.name);
    if (!this.isToRead) await this.declare(name, spec);
    this.prepared.set(name, new Collection(this.connection, spec));
  }

  private async declare(name: string, spec: CollectionSpec): Promise<void> {
    const indexes = indexesOf(spec);
    const existing = await this.indexNames(name);
    for (const index of undeclared(spec, existing)) {
      await goneIsFine(this.connection.ask((database) => database.collection(name).dropIndex(index)));
    }
    await this.connection.askAtLength((database) => database.collection(name).createIndexes(indexes));
  }

  async insert(collection: string, id: string, body: object, options: { expiresAt?: Instant } = {}): Promise<void> {
    const expiresAt = options.expiresAt === undefined ? null : dateOf(options.expiresAt);
    await this.collection(collection).insert(id, body, expiresAt, this.now());
  }

  async get<Body>(collection: string, id: string): Promise<Document<Body> | null> {
    return this.collection(collection).get(id, this.now());
  }

  async getMany<Body>(collection: string, ids: readonly string[]): Promise<readonly Document<Body>[]> {
    return this.collection(collection).getMany(ids, this.now());
  }

  async replace(
    collection: string,
    id: string,
    version: number,
    body: object,
    { expiresAt }: { expiresAt?: Instant | null } = {},
  ): Promise<boolean> {
    const expiry = typeof expiresAt === 'string' ? dateOf(expiresAt) : expiresAt;
    return this.collection(collection).replace(id, version, body, expiry, this.now());
  }

  async delete(collection: string, id: string, version?: number): Promise<boolean> {
    return this.collection(collection).delete(id, version, this.now());
  }

  async find<Body>(collection: string, query: Query): Promise<readonly Document<Body>[]> {
    return this.collection(collection).find(query, this.now());
  }

  async scan<Body>(collection: string, after: string | null, limit: number): Promise<readonly Document<Body>[]> {
    return this.collection(collection).scan(after, limit, this.now());
  }

  async count(collection: string, filter: Filter, atMost?: number): Promise<number> {
    return this.collection(collection).count(filter, this.now(), atMost);
  }

  async getGuarded(collection: string, ids: readonly string[]): Promise<readonly GuardedDocument[]> {
    return getGuarded(collection, this.collection(collection).ask, ids, this.now());
  }

  async putGuarded(collection: string, writes: readonly GuardedWrite[]): Promise<readonly string[]> {
    return putGuarded(this.collection(collection).ask, writes, this.now());
  }

  async drop(collection: string): Promise<void> {
    this.prepared.delete(checkedName(collection));
    await goneIsFine(this.connection.ask((database) => database.collection(collection).drop()));
  }

  async clear(collection: string): Promise<void> {
    await this.collection(collection).clear();
  }

  async collections(prefix: string): Promise<readonly string[]> {
    const found = await this.connection.ask((database) => database.listCollections({}, { nameOnly: true }).toArray());
    return found.map(({ name }) => name).filter((name) => isName(name) && name.startsWith(prefix));
  }

  async deleteExpired(): Promise<number> {
    let total = 0;
    for (const collection of this.prepared.values()) total += await collection.deleteExpired(this.now());
    return total;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async indexNames(collection: string): Promise<readonly string[]> {
    const found = await goneIsFine(
      this.connection.ask((database) => database.collection(collection).listIndexes().toArray()),
    );
    return (found ?? []).map(({ name }) => String(name));
  }

  private collection(name: string): Collection {
    const collection = this.prepared.get(name);
    if (!collection) throw new TypeError(`collection ${name} was not prepared`);
    return collection;
  }

  private now(): Date {
    return dateOf(this.clock.now());
  }
}

/** NamespaceNotFound, IndexNotFound. */
const NOT_FOUND: readonly unknown[] = [26, 27];

/** What is to go may be gone already: another process does the same. */
const goneIsFine = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer;
  } catch (error) {
    const isGone =
      error instanceof DocumentsUnavailable &&
      error.cause instanceof MongoServerError &&
      NOT_FOUND.includes(error.cause.code);
    if (isGone) return null;
    throw error;
  }
};
