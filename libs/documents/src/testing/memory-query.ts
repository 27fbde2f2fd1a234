import type { CollectionSpec, Condition, Filter, Query, Value } from '../index.js';

export type Fields = Readonly<Record<string, unknown>>;

export const matches = (body: Fields, { where, anyOf }: Filter): boolean =>
  where.every((one) => holds(body, one)) && (anyOf?.some((all) => all.every((one) => holds(body, one))) ?? true);

const holds = (body: Fields, asked: Condition): boolean => {
  const value = valueOf(body, asked.field);
  if ('equals' in asked) return value === asked.equals;
  const { atLeast = null, below = null } = asked;
  return value !== null && compare(value, atLeast) >= 0 && (below === null || compare(value, below) < 0);
};

/** The order of a query's page: by its field, and among equals by id. */
export const inOrderOf =
  ({ field, direction }: Query['sort']) =>
  (one: { readonly id: string; readonly body: Fields }, other: { readonly id: string; readonly body: Fields }) => {
    const order = compare(valueOf(one.body, field), valueOf(other.body, field)) || compare(one.id, other.id);
    return direction === 'ascending' ? order : -order;
  };

/** A field's value; what is absent is null. */
export const valueOf = (body: Fields, field: string): Value => {
  const value = body[field];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
};

/** null first, then numbers and booleans by value, or strings by code points. */
const compare = (one: Value, other: Value): number => {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) - Number(other);
};

const NAME = /^[a-z][a-z\d-]*$/;
const FIELD = /^[a-z][A-Za-z\d]*$/;

/** @throws TypeError for names that are none */
export const checkSpec = ({ name, indexes }: CollectionSpec): void => {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a collection`);
  for (const field of indexes.flatMap(({ fields }) => fields))
    if (!FIELD.test(field)) throw new TypeError(`${JSON.stringify(field)} is no name of a field`);
};

/** @throws TypeError for a question that the declared indexes do not answer */
export const checkFilter = ({ indexes }: CollectionSpec, { where, anyOf = [] }: Filter): void => {
  for (const { field } of [...where, ...anyOf.flat()])
    if (!indexes.some(({ fields }) => fields.includes(field))) throw new TypeError(`no index on ${field}`);
};

/** @throws TypeError for an order that the declared indexes do not give, and a limit below one */
export const checkQuery = (spec: CollectionSpec, query: Query): void => {
  checkFilter(spec, query);
  const { field } = query.sort;
  const isSortable = spec.indexes.some(({ fields }) => fields.includes(field));
  if (!isSortable) throw new TypeError(`cannot sort by ${field}`);
  if (query.limit < 1) throw new TypeError('a limit is at least 1');
};
