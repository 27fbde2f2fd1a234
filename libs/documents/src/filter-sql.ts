import { afterAll, type Fields, kindOf, singleField } from './fields.js';
import type { Condition, Filter, PageEnd, Query, Value } from './query.js';
import { allOf, anyOf, type Bound, elements, field, type Sql, sql } from './sql.js';

/**
 * A filter as an SQL condition on a collection's table.
 *
 * @throws TypeError for a field without an index, or asked for what it cannot answer.
 */
export const filterSql = (fields: Fields, filter: Filter): Sql =>
  allOf([
    ...filter.where.map((condition) => conditionSql(fields, condition)),
    ...(filter.anyOf
      ? [anyOf(filter.anyOf.map((all) => allOf(all.map((condition) => conditionSql(fields, condition)))))]
      : []),
  ]);

const conditionSql = (fields: Fields, condition: Condition): Sql => {
  if ('startsWithAny' in condition) return prefixSql(fields, condition.field, condition.startsWithAny);
  const column = singleColumn(fields, condition.field);
  if ('equals' in condition) return equalsSql(column, condition.equals);
  const { atLeast, below } = condition;
  return allOf([
    sql`${column} IS NOT NULL`,
    ...(atLeast === undefined ? [] : [sql`${column} >= ${atLeast}`]),
    ...(below === undefined ? [] : [sql`${column} < ${below}`]),
  ]);
};

const equalsSql = (column: Sql, value: Value): Sql =>
  value === null ? sql`${column} IS NULL` : sql`${column} = ${bound(value)}`;

const prefixSql = (fields: Fields, name: string, prefixes: readonly string[]): Sql => {
  const among = (value: Sql) => anyOf(prefixes.map((prefix) => startsWith(value, prefix)));
  if (kindOf(fields, name) === 'single') return among(field(name));
  return sql`EXISTS (SELECT 1 FROM ${elements(name)} AS element WHERE ${among(sql`element.value`)})`;
};

/** A prefix is a range: LIKE and GLOB have signs of their own, and an index serves a range. */
export const startsWith = (value: Sql, prefix: string): Sql => {
  const end = afterAll(prefix);
  return end === null ? sql`${value} >= ${prefix}` : sql`(${value} >= ${prefix} AND ${value} < ${end})`;
};

/** The order of a query. */
export const orderSql = (fields: Fields, { sort }: Query): Sql => {
  const column = singleColumn(fields, sort.field);
  return sort.direction === 'ascending' ? sql`${column} ASC, id ASC` : sql`${column} DESC, id DESC`;
};

/** What comes after the end of a page; null comes first ascending and last descending, as SQLite sorts it. */
export const afterSql = (fields: Fields, { sort, after }: Query): Sql => {
  if (!after) return sql`TRUE`;
  const column = singleColumn(fields, sort.field);
  return sort.direction === 'ascending' ? ascending(column, after) : descending(column, after);
};

const ascending = (column: Sql, { value, id }: PageEnd): Sql => {
  if (value === null) return sql`(${column} IS NOT NULL OR id > ${id})`;
  return sql`(${column} >= ${bound(value)} AND (${column} > ${bound(value)} OR id > ${id}))`;
};

const descending = (column: Sql, { value, id }: PageEnd): Sql => {
  if (value === null) return sql`(${column} IS NULL AND id < ${id})`;
  return sql`(${column} IS NULL OR ${column} < ${bound(value)} OR (${column} = ${bound(value)} AND id < ${id}))`;
};

/** Booleans are what SQLite makes of JSON's: 0 and 1. */
const bound = (value: Value): Bound => (typeof value === 'boolean' ? Number(value) : value);

const singleColumn = (fields: Fields, name: string): Sql => field(singleField(fields, name));
