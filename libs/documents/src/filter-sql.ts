import {
  type Condition,
  declaredField,
  type Fields,
  type Filter,
  type PageEnd,
  type Query,
  type Value,
} from './query.js';
import { allOf, anyOf, type Bound, field, type Sql, sql } from './sql.js';

/** A filter as an SQL condition on a collection's table. @throws TypeError for a field without an index. */
export const filterSql = (fields: Fields, filter: Filter): Sql =>
  allOf([
    ...filter.where.map((condition) => conditionSql(fields, condition)),
    ...(filter.anyOf
      ? [anyOf(filter.anyOf.map((all) => allOf(all.map((condition) => conditionSql(fields, condition)))))]
      : []),
  ]);

const conditionSql = (fields: Fields, condition: Condition): Sql => {
  const column = columnOf(fields, condition.field);
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

/** The order of a query. */
export const orderSql = (fields: Fields, { sort }: Query): Sql => {
  const column = columnOf(fields, sort.field);
  return sort.direction === 'ascending' ? sql`${column} ASC, id ASC` : sql`${column} DESC, id DESC`;
};

/** What comes after the end of a page; null comes first ascending and last descending, as SQLite sorts it. */
export const afterSql = (fields: Fields, { sort, after }: Query): Sql => {
  if (!after) return sql`TRUE`;
  const column = columnOf(fields, sort.field);
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

const columnOf = (fields: Fields, name: string): Sql => field(declaredField(fields, name));
