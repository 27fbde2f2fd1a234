import { type Instant, plus } from '#kernel';
import { checksumOf } from './checksum.js';
import { tableOf } from './collection-tables.js';
import {
  type CollectionSpec,
  type Condition,
  declaredField,
  type Fields,
  fieldsOf,
  type Filter,
  type PageEnd,
  type Query,
  type Value,
} from './query.js';
import { type GuardedWrite, TOMBSTONE_LIFETIME } from './read-model-store.port.js';
import { allOf, anyOf, type Bound, field, row, type Sql, sql, template } from './sql.js';

const COLUMNS = sql`id, version, position, body, checksum`;
const ROW = row(COLUMNS);

/** The statements on a collection's table. `body` is JSON text; `now` decides what has expired. */
export class CollectionSql {
  private readonly table: Sql;
  private readonly fields: Fields;
  private readonly templates: ReturnType<typeof templatesOf>;

  constructor(private readonly spec: CollectionSpec) {
    this.table = tableOf(spec.name);
    this.fields = fieldsOf(spec);
    this.templates = templatesOf(this.table);
  }

  /** Columns id, version, position, body, checksum, expires_at; also where it has expired. */
  get(id: string): Sql {
    return this.templates.get(id);
  }

  /** Columns id, version, position, body, checksum. */
  getMany(ids: readonly string[], now: Instant): Sql {
    return this.templates.getMany(JSON.stringify(ids), now);
  }

  /** Columns id, version, position, body, checksum. */
  find(query: Query, now: Instant): Sql {
    if (!Number.isInteger(query.limit) || query.limit < 1) throw new TypeError(`not a limit: ${query.limit}`);
    const isAsked = allOf([live(now), filterSql(this.fields, query), afterSql(this.fields, query)]);
    return sql`SELECT ${ROW} FROM ${this.table} WHERE ${isAsked}
      ORDER BY ${orderSql(this.fields, query)} LIMIT ${query.limit}`;
  }

  /** Columns id, version, position, body, checksum; `after` null: from the first id on. */
  scan(after: string | null, limit: number, now: Instant): Sql {
    const isAfter = after === null ? sql`TRUE` : sql`id > ${after}`;
    return sql`SELECT ${ROW} FROM ${this.table} WHERE ${isAfter} AND ${live(now)} ORDER BY id LIMIT ${limit}`;
  }

  /** Column count, of at most `atMost` documents. */
  count(filter: Filter, now: Instant, atMost = -1): Sql {
    const isAsked = allOf([live(now), filterSql(this.fields, filter)]);
    return sql`SELECT ${row(sql`count(*)`)} FROM (SELECT 1 FROM ${this.table} WHERE ${isAsked} LIMIT ${atMost})`;
  }

  /** Columns id, version, position, body (null: a tombstone), checksum. */
  getGuarded(ids: readonly string[], now: Instant): Sql {
    return this.templates.getGuarded(JSON.stringify(ids), now);
  }

  /** Deletes the expired documents whose values in a unique index `body` wants; deleting them otherwise can wait. */
  free(body: string, now: Instant): readonly Sql[] {
    const wanted = sql`${body}`;
    const uniques = this.spec.indexes.filter(({ unique }) => unique);
    return uniques.map(({ fields }) => {
      const isWanted = allOf(fields.map((name) => sql`${field(name)} = ${field(name, wanted)}`));
      return sql`DELETE FROM ${this.table} WHERE expires_at <= ${now} AND ${isWanted}`;
    });
  }

  /** Changes nothing where a document that has not expired is in the way. */
  insert(row: Row, now: Instant): Sql {
    const { id, position, expiresAt, body } = row;
    return this.templates.insert(id, position, expiresAt, body, checksumOf({ ...row, version: 1 }), now);
  }

  /** `expiresAt` undefined keeps the expiry. */
  replace(id: string, version: number, body: string, expiresAt: Instant | null | undefined, now: Instant): Sql {
    const checksum = checksumOf({ id, version: version + 1, position: null, body });
    if (expiresAt === undefined) return this.templates.replace(body, checksum, id, version, now);
    return this.templates.replaceAndExpire(body, checksum, expiresAt, id, version, now);
  }

  delete(id: string, version: number | undefined, now: Instant): Sql {
    return version === undefined ? this.templates.delete(id, now) : this.templates.deleteVersion(id, version, now);
  }

  /** Insert if new, else update where the stored position is smaller (rule 24). */
  putGuarded({ id, body, position, isNew }: GuardedWrite, now: Instant): Sql {
    const json = body && JSON.stringify(body);
    const expiresAt = body ? null : plus(now, TOMBSTONE_LIFETIME);
    if (isNew) return this.insert({ id, position, expiresAt, body: json }, now);
    const checksum = checksumOf({ id, version: 0, position, body: json });
    return this.templates.update(position, expiresAt, json, checksum, id, position, now);
  }

  clear(): Sql {
    return sql`DELETE FROM ${this.table}`;
  }

  deleteExpired(atMost: number, now: Instant): Sql {
    return sql`DELETE FROM ${this.table}
      WHERE rowid IN (SELECT rowid FROM ${this.table} WHERE expires_at <= ${now} LIMIT ${atMost})`;
  }
}

/** The statements of every request, whose text never changes. Their values are in the order of the text. */
const templatesOf = (table: Sql) => {
  const value = null;
  const change = sql`version = version + 1, body = ${value}, checksum = ${value}`;
  const isMeant = sql`id = ${value} AND version = ${value} AND ${live(value)}`;
  return {
    get: template(
      sql`SELECT ${row(sql`${COLUMNS}, expires_at`)} FROM ${table} WHERE id = ${value} AND body IS NOT NULL`,
    ),
    getMany: template(sql`SELECT ${ROW} FROM ${table}
      WHERE id IN (SELECT value FROM json_each(${value})) AND ${live(value)}`),
    getGuarded: template(sql`SELECT ${ROW} FROM ${table}
      WHERE id IN (SELECT value FROM json_each(${value})) AND ${unexpired(value)}`),
    insert: template(sql`INSERT INTO ${table} (id, version, position, expires_at, body, checksum)
      VALUES (${value}, 1, ${value}, ${value}, ${value}, ${value})
      ON CONFLICT (id) DO UPDATE SET version = 1, position = excluded.position, expires_at = excluded.expires_at,
        body = excluded.body, checksum = excluded.checksum
      WHERE expires_at <= ${value}`),
    replace: template(sql`UPDATE ${table} SET ${change} WHERE ${isMeant}`),
    replaceAndExpire: template(sql`UPDATE ${table} SET ${change}, expires_at = ${value} WHERE ${isMeant}`),
    delete: template(sql`DELETE FROM ${table} WHERE id = ${value} AND ${live(value)}`),
    deleteVersion: template(sql`DELETE FROM ${table} WHERE ${isMeant}`),
    update: template(sql`UPDATE ${table} SET version = version + 1, position = ${value}, expires_at = ${value},
        body = ${value}, checksum = ${value}
      WHERE id = ${value} AND position < ${value} AND ${unexpired(value)}`),
  };
};

/** A new row; `position` null outside read models, `body` null for a tombstone. */
interface Row {
  readonly id: string;
  readonly position: string | null;
  readonly expiresAt: Instant | null;
  readonly body: string | null;
}

const unexpired = (now: Bound): Sql => sql`(expires_at IS NULL OR expires_at > ${now})`;

/** Neither expired nor a tombstone. */
const live = (now: Bound): Sql => sql`(body IS NOT NULL AND ${unexpired(now)})`;

/** A filter as an SQL condition on a collection's table. @throws TypeError for a field without an index. */
const filterSql = (fields: Fields, filter: Filter): Sql =>
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

const orderSql = (fields: Fields, { sort }: Query): Sql => {
  const column = columnOf(fields, sort.field);
  return sort.direction === 'ascending' ? sql`${column} ASC, id ASC` : sql`${column} DESC, id DESC`;
};

/** What comes after the end of a page; null comes first ascending and last descending, as SQLite sorts it. */
const afterSql = (fields: Fields, { sort, after }: Query): Sql => {
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
