import type { Filter as MongoFilter } from 'mongodb';
import {
  type Condition,
  declaredField,
  type Fields,
  type Filter,
  type PageEnd,
  type Query,
  type Value,
} from './query.js';
import type { StoredDocument } from './stored-document.mongodb.js';

/** A question to a collection. Made here alone, where every value stands behind an operator and is checked to be one. */
export type Asked = MongoFilter<StoredDocument>;

const NOTHING: Asked = { _id: { $in: [] } };

export const hasId = (id: string): Asked => ({ _id: { $eq: checkedId(id) } });

export const hasIdOf = (ids: readonly string[]): Asked => ({ _id: { $in: ids.map(checkedId) } });

export const hasIdAfter = (id: string): Asked => ({ _id: { $gt: checkedId(id) } });

/** Types end where the JSON of strangers begins: an object would be read as operators. */
export const checkedId = (id: string): string => {
  if (typeof id !== 'string') throw new TypeError(`not an id: ${typeof id}`);
  return id;
};

/** Not expired; a tombstone too. */
export const unexpired = (now: Date): Asked => ({ expiresAt: { $not: { $lte: now } } });

/** Neither expired nor a tombstone. */
export const live = (now: Date): Asked => ({ ...unexpired(now), body: { $ne: null } });

export const expired = (now: Date): Asked => ({ expiresAt: { $lte: now } });

/** All of the conditions hold; true of none. */
export const allOf = (conditions: readonly Asked[]): Asked =>
  conditions.length === 0 ? {} : { $and: [...conditions] };

/** At least one of the conditions holds; false of none. */
export const anyOf = (conditions: readonly Asked[]): Asked =>
  conditions.length === 0 ? NOTHING : { $or: [...conditions] };

/** A filter of the port as a question. @throws TypeError for a field without an index. */
export const matches = (fields: Fields, { where, anyOf: alternatives }: Filter): Asked => {
  const all = (conditions: readonly Condition[]) => allOf(conditions.map((condition) => holds(fields, condition)));
  return allOf([all(where), ...(alternatives ? [anyOf(alternatives.map(all))] : [])]);
};

const holds = (fields: Fields, condition: Condition): Asked => {
  const name = declaredField(fields, condition.field);
  if ('equals' in condition) return compares(name, { $eq: checked(condition.equals) });
  const { atLeast, below } = condition;
  return allOf([
    compares(name, { $ne: null }),
    ...(atLeast === undefined ? [] : [compares(name, { $gte: checked(atLeast) })]),
    ...(below === undefined ? [] : [compares(name, { $lt: checked(below) })]),
  ]);
};

/** What comes after the end of a page: null comes first ascending and last descending, as MongoDB sorts it. */
export const comesAfter = (fields: Fields, { sort, after }: Query): Asked => {
  if (!after) return {};
  const name = declaredField(fields, sort.field);
  return sort.direction === 'ascending' ? ascending(name, after) : descending(name, after);
};

const ascending = (name: string, { value, id }: PageEnd): Asked => {
  const later: Asked = { _id: { $gt: checkedId(id) } };
  if (value === null) return anyOf([compares(name, { $ne: null }), later]);
  const end = checked(value);
  return allOf([compares(name, { $gte: end }), anyOf([compares(name, { $gt: end }), later])]);
};

const descending = (name: string, { value, id }: PageEnd): Asked => {
  const earlier: Asked = { _id: { $lt: checkedId(id) } };
  if (value === null) return allOf([compares(name, { $eq: null }), earlier]);
  const end = checked(value);
  return anyOf([
    compares(name, { $eq: null }),
    compares(name, { $lt: end }),
    allOf([compares(name, { $eq: end }), earlier]),
  ]);
};

const compares = (name: string, operators: object): Asked => ({ [`fields.${name}`]: operators });

const checked = (value: Value): Value => {
  const isValue = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  if (!isValue) throw new TypeError(`not a value: ${typeof value}`);
  return value;
};
