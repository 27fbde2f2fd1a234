import { randomUUID } from 'node:crypto';
import { type AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb';
import { checksumOf } from './checksum.js';
import type { Ask } from './collection.mongodb.js';
import { checkedId, expired, hasId, hasIdOf, unexpired } from './filter.mongodb.js';
import { type GuardedDocument, type GuardedWrite, TOMBSTONE_LIFETIME } from './read-model-store.port.js';
import { BODY_ONLY, documentOf, type Readable, storedBody, type StoredDocument } from './stored-document.mongodb.js';

type Operation = AnyBulkWriteOperation<StoredDocument>;

/** The documents and tombstones among `ids`. */
export const getGuarded = async (
  name: string,
  ask: Ask,
  ids: readonly string[],
  now: Date,
): Promise<readonly GuardedDocument[]> => {
  const filter = { ...hasIdOf(ids), ...unexpired(now) };
  const options = { projection: BODY_ONLY, batchSize: ids.length + 1 };
  const found = await ask((collection) => collection.find<Readable>(filter, options).toArray());
  return found.map((one) => {
    const { id, body } = documentOf<object | null>(name, one);
    return { id, position: one.position ?? '', body };
  });
};

/** Inserts or updates, in one command (rule 24): what is new never overwrites, what is known is never made anew. The batch's name in a document shows which of them it wrote. */
export const putGuarded = async (ask: Ask, writes: readonly GuardedWrite[], now: Date): Promise<readonly string[]> => {
  if (writes.length === 0) return [];
  const batch = randomUUID();
  const first = await bulk(
    ask,
    writes.map((write) => (write.isNew ? insertOf(write, batch, now) : updateOf(write, batch, now))),
  );
  const taken = writes.filter((_, place) => first.duplicates.has(place));
  const stillTaken = taken.length === 0 ? [] : await insertOverExpired(ask, taken, batch, now);
  const updates = writes.filter(({ isNew }) => !isNew);
  const missed = first.matched === updates.length ? [] : await notWrittenBy(ask, batch, updates);
  return [...stillTaken, ...missed].map(({ id }) => id);
};

/** What expired lies there until it is deleted, and is inserted over freely. */
const insertOverExpired = async (
  ask: Ask,
  writes: readonly GuardedWrite[],
  batch: string,
  now: Date,
): Promise<readonly GuardedWrite[]> => {
  const expiredOnes = { ...hasIdOf(writes.map(({ id }) => id)), ...expired(now) };
  const { deletedCount } = await ask((collection) => collection.deleteMany(expiredOnes));
  if (deletedCount === 0) return writes;
  const again = await bulk(
    ask,
    writes.map((write) => insertOf(write, batch, now)),
  );
  return writes.filter((_, place) => again.duplicates.has(place));
};

const notWrittenBy = async (
  ask: Ask,
  batch: string,
  writes: readonly GuardedWrite[],
): Promise<readonly GuardedWrite[]> => {
  const ours = { ...hasIdOf(writes.map(({ id }) => id)), batch: { $eq: batch } };
  const options = { projection: { _id: 1 }, batchSize: writes.length + 1 };
  const found = await ask((collection) => collection.find(ours, options).toArray());
  const written = new Set(found.map(({ _id }) => _id));
  return writes.filter(({ id }) => !written.has(id));
};

/** An update that matches nothing, since every document has a position: where the id is taken, it is a duplicate as an insert is. */
const insertOf = (write: GuardedWrite, batch: string, now: Date): Operation => ({
  updateOne: {
    filter: { ...hasId(checkedId(write.id)), position: { $exists: false } },
    update: { $setOnInsert: { version: 1, ...contentOf(write, batch, now) } },
    upsert: true,
  },
});

const updateOf = (write: GuardedWrite, batch: string, now: Date): Operation => ({
  updateOne: {
    filter: { ...hasId(write.id), position: { $lt: write.position }, ...unexpired(now) },
    update: { $set: contentOf(write, batch, now), $inc: { version: 1 } },
  },
});

const contentOf = ({ id, body, position }: GuardedWrite, batch: string, now: Date) => {
  const stored = storedBody(body);
  return {
    ...stored,
    checksum: checksumOf({ id, version: 0, position, body: stored.body }),
    expiresAt: body ? null : new Date(now.getTime() + TOMBSTONE_LIFETIME),
    position,
    batch,
  };
};

/** What came of a bulk: which inserts found their id taken, and how many updates found their document. */
interface BulkOutcome {
  readonly duplicates: ReadonlySet<number>;
  readonly matched: number;
}

/** Anything but an id that is taken rejects: it says nothing of where another projector is. */
const bulk = (ask: Ask, operations: Operation[]): Promise<BulkOutcome> =>
  ask(async (collection) => {
    try {
      const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
      return { duplicates: new Set(), matched: matchedCount };
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      const failures = [error.writeErrors].flat();
      const isDurable = error.result.getWriteConcernError() === undefined;
      if (failures.length === 0 || !isDurable || !failures.every(isTakenId)) throw error;
      return { duplicates: new Set(failures.map(({ index }) => index)), matched: error.matchedCount };
    }
  });

/** The server names the index before it quotes any value. */
const isTakenId = ({ code, errmsg }: { code: number; errmsg?: string | undefined }): boolean =>
  code === 11_000 && /^E11000 duplicate key error collection: \S+ index: _id_ /.test(errmsg ?? '');
