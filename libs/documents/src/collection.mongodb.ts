import type { Collection as DriverCollection } from 'mongodb';
import { checksumOf } from './checksum.js';
import type { Connection } from './connection.mongodb.js';
import { type Document, DocumentsUnavailable, DuplicateDocument } from './documents.port.js';
import { type CollectionSpec, declaredField, type Fields, fieldsOf, type Filter, type Query } from './query.js';
import {
  allOf,
  anyOf,
  type Asked,
  comesAfter,
  expired,
  hasId,
  hasIdAfter,
  hasIdOf,
  live,
  matches,
  unexpired,
} from './filter.mongodb.js';
import { holdersOf } from './indexes.mongodb.js';
import { BODY_ONLY, documentOf, type Readable, storedBody, type StoredDocument } from './stored-document.mongodb.js';

/** How often a write that expired documents stand in the way of is tried. */
const ATTEMPTS = 10;
const EXPIRED_AT_ONCE = 500;

/** Asks one collection of MongoDB something. */
export type Ask = <Answer>(
  question: (collection: DriverCollection<StoredDocument>) => Promise<Answer>,
) => Promise<Answer>;

/** The documents of a prepared collection; `now` decides what has expired. */
export class Collection {
  private readonly fields: Fields;

  constructor(
    private readonly connection: Connection,
    private readonly spec: CollectionSpec,
  ) {
    this.fields = fieldsOf(spec);
  }

  readonly ask: Ask = (question) =>
    this.connection.ask((database) => question(database.collection<StoredDocument>(this.spec.name)));

  async insert(id: string, body: object, expiresAt: Date | null, now: Date): Promise<void> {
    const stored = storedBody(body);
    const place = { version: 1, position: null };
    const checksum = checksumOf({ id, ...place, body: stored.body });
    const document: StoredDocument = { _id: id, ...place, ...stored, checksum, expiresAt, batch: null };
    const rivals = [hasId(id), ...holdersOf(this.spec, stored)];
    await this.pastExpired(rivals, now, () => this.ask((collection) => collection.insertOne(document)));
  }

  async get<Body>(id: string, now: Date): Promise<Document<Body> | null> {
    const one = { ...hasId(id), ...live(now) };
    const found = await this.ask((collection) => collection.findOne<Readable>(one, { projection: BODY_ONLY }));
    return found && documentOf(this.spec.name, found);
  }

  async getMany<Body>(ids: readonly string[], now: Date): Promise<readonly Document<Body>[]> {
    const where = { ...hasIdOf(ids), ...live(now) };
    const options = { projection: BODY_ONLY, batchSize: ids.length + 1 };
    const found = await this.ask((collection) => collection.find<Readable>(where, options).toArray());
    return found.map((one) => documentOf<Body>(this.spec.name, one));
  }

  /** `expiresAt` undefined keeps the expiry. */
  async replace(
    id: string,
    version: number,
    body: object,
    expiresAt: Date | null | undefined,
    now: Date,
  ): Promise<boolean> {
    const stored = storedBody(body);
    const expiry = expiresAt === undefined ? {} : { expiresAt };
    const next = { version: version + 1, position: null };
    const checksum = checksumOf({ id, ...next, body: stored.body });
    const change = { $set: { ...stored, ...expiry, checksum, version: next.version } };
    const one = { ...hasId(id), version: { $eq: version }, ...live(now) };
    const replace = () => this.ask((collection) => collection.updateOne(one, change));
    const { matchedCount } = await this.pastExpired(holdersOf(this.spec, stored), now, replace);
    return matchedCount === 1;
  }

  async delete(id: string, version: number | undefined, now: Date): Promise<boolean> {
    const isMeant = version === undefined ? {} : { version: { $eq: version } };
    const one = { ...hasId(id), ...isMeant, ...live(now) };
    const { deletedCount } = await this.ask((collection) => collection.deleteOne(one));
    return deletedCount === 1;
  }

  async find<Body>(query: Query, now: Date): Promise<readonly Document<Body>[]> {
    const { sort, limit } = query;
    if (!Number.isInteger(limit) || limit < 1) throw new TypeError(`not a limit: ${limit}`);
    const direction = sort.direction === 'ascending' ? 1 : -1;
    const order = { [`fields.${declaredField(this.fields, sort.field)}`]: direction, _id: direction } as const;
    const where = allOf([live(now), matches(this.fields, query), comesAfter(this.fields, query)]);
    const options = { projection: BODY_ONLY, sort: order, limit, batchSize: limit };
    const found = await this.ask((collection) => collection.find<Readable>(where, options).toArray());
    return found.map((one) => documentOf<Body>(this.spec.name, one));
  }

  async scan<Body>(after: string | null, limit: number, now: Date): Promise<readonly Document<Body>[]> {
    const where = allOf([live(now), ...(after === null ? [] : [hasIdAfter(after)])]);
    const options = { projection: BODY_ONLY, sort: { _id: 1 }, limit, batchSize: limit } as const;
    const found = await this.ask((collection) => collection.find<Readable>(where, options).toArray());
    return found.map((one) => documentOf<Body>(this.spec.name, one));
  }

  async count(filter: Filter, now: Date, atMost?: number): Promise<number> {
    const where = allOf([live(now), matches(this.fields, filter)]);
    return this.ask((collection) => collection.countDocuments(where, atMost === undefined ? {} : { limit: atMost }));
  }

  async clear(): Promise<void> {
    await this.connection.askAtLength((database) => database.collection(this.spec.name).deleteMany({}));
  }

  async deleteExpired(now: Date): Promise<number> {
    for (let total = 0; ;) {
      const options = { projection: { _id: 1 }, limit: EXPIRED_AT_ONCE, batchSize: EXPIRED_AT_ONCE };
      const found = await this.ask((collection) => collection.find(expired(now), options).toArray());
      if (found.length === 0) return total;
      const meant = { ...hasIdOf(found.map(({ _id }) => _id)), ...expired(now) };
      total += (await this.ask((collection) => collection.deleteMany(meant))).deletedCount;
    }
  }

  /** Repeats a write once expired documents that a unique index counts are deleted; of rivals the index admits one (rule 21). */
  private async pastExpired<Answer>(
    rivals: readonly Asked[],
    now: Date,
    write: () => Promise<Answer>,
  ): Promise<Answer> {
    const rival = anyOf(rivals);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DuplicateDocument)) throw error;
        await this.ask((collection) => collection.deleteMany(allOf([rival, expired(now)])));
        const living = await this.ask((collection) => collection.findOne(allOf([rival, unexpired(now)])));
        if (living) throw error;
      }
    }
    throw new DocumentsUnavailable(`others write what ${this.spec.name} is to hold, and it expires at once`);
  }
}
