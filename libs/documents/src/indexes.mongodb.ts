import type { IndexDescription } from 'mongodb';
import { allOf, type Asked } from './filter.mongodb.js';
import { checkedName, type CollectionSpec, type Index } from './query.js';
import type { StoredBody } from './stored-document.mongodb.js';

/** How long (s) after its expiry MongoDB deletes a document: its clock may run ahead of ours, by which it must not go earlier. */
const TTL_AFTER = 60;

const EXPIRY: IndexDescription = { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: TTL_AFTER };

/** What the names of unique indexes begin with. */
const UNIQUE = 'u_';

/** The indexes of a collection. Their names say all that makes them, so that one of a name never has to change. */
export const indexesOf = (spec: CollectionSpec): IndexDescription[] => [EXPIRY, ...spec.indexes.map(indexOf)];

const indexOf = ({ fields, unique }: Index): IndexDescription => {
  const names = fields.map(checkedName);
  const paths = names.map((name) => `fields.${name}`);
  // A page is sorted by id among equals, so the index is too; a unique one must not hold it.
  if (!unique) return { name: `i_${names.join('_')}`, key: ordered([...paths, '_id']) };
  const haveValues = Object.fromEntries(paths.map((path) => [path, { $exists: true }]));
  return {
    name: `${UNIQUE}${names.join('_')}`,
    key: ordered(paths),
    unique: true,
    partialFilterExpression: haveValues,
  };
};

const ordered = (paths: readonly string[]): Record<string, 1> => Object.fromEntries(paths.map((path) => [path, 1]));

/** The unique indexes of a collection that its declaration no longer has: they would refuse what is allowed. Others are left. */
export const undeclared = (spec: CollectionSpec, existing: readonly string[]): readonly string[] => {
  const declared = new Set(indexesOf(spec).map(({ name }) => name));
  return existing.filter((name) => name.startsWith(UNIQUE) && !declared.has(name));
};

/** The documents that hold the values which a body wants in the unique indexes; a question for each. */
export const holdersOf = (spec: CollectionSpec, { fields }: StoredBody): readonly Asked[] =>
  spec.indexes
    .filter(({ unique }) => unique)
    .filter((index) => index.fields.every((name) => Object.hasOwn(fields, name)))
    .map((index) => allOf(index.fields.map((name) => ({ [`fields.${name}`]: { $eq: fields[name] } }))));
