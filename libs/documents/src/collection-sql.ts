import { type Instant, plus } from '#kernel';
import { tableOf } from './collection-tables.js';
import { type Fields, fieldsOf } from './fields.js';
import { afterSql, filterSql, orderSql } from './filter-sql.js';
import type { CollectionSpec, Filter, Query } from './query.js';
import { type GuardedWrite, TOMBSTONE_LIFETIME } from './read-model-store.port.js';
import { allOf, field, type Sql, sql } from './sql.js';

/** What can be said to a collection's table. `body` is JSON text; `now` decides what has expired. */
export class CollectionSql {
  private readonly table: Sql;
  private readonly fields: Fields;

  constructor(private readonly spec: CollectionSpec) {
    this.table = tableOf(spec.name);
    this.fields = fieldsOf(spec);
  }

  /** Columns id, version, body. */
  get(id: string, now: Instant): Sql {
    return sql`SELECT id, version, body FROM ${this.table} WHERE id = ${id} AND ${live(now)}`;
  }

  /** Columns id, version, body. */
  find(query: Query, now: Instant): Sql {
    if (!Number.isInteger(query.limit) || query.limit < 1) throw new TypeError(`not a limit: ${query.limit}`);
    const isAsked = allOf([live(now), filterSql(this.fields, query), afterSql(this.fields, query)]);
    return sql`SELECT id, version, body FROM ${this.table} WHERE ${isAsked}
      ORDER BY ${orderSql(this.fields, query)} LIMIT ${query.limit}`;
  }

  /** Column count. */
  count(filter: Filter, now: Instant): Sql {
    return sql`SELECT count(*) FROM ${this.table} WHERE ${live(now)} AND ${filterSql(this.fields, filter)}`;
  }

  /** Columns id, position, body (null: a tombstone). */
  getGuarded(ids: readonly string[], now: Instant): Sql {
    return sql`SELECT id, position, body FROM ${this.table}
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${unexpired(now)}`;
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
    return sql`INSERT INTO ${this.table} (id, version, position, expires_at, body)
      VALUES (${row.id}, 1, ${row.position}, ${row.expiresAt}, ${row.body})
      ON CONFLICT (id) DO UPDATE
      SET version = 1, position = excluded.position, expires_at = excluded.expires_at, body = excluded.body
      WHERE expires_at <= ${now}`;
  }

  /** `expiresAt` undefined keeps the expiry. */
  replace(id: string, version: number, body: string, expiresAt: Instant | null | undefined, now: Instant): Sql {
    const expiry = expiresAt === undefined ? sql`expires_at` : expiresAt;
    return sql`UPDATE ${this.table} SET version = version + 1, body = ${body}, expires_at = ${expiry}
      WHERE id = ${id} AND version = ${version} AND ${live(now)}`;
  }

  delete(id: string, version: number | undefined, now: Instant): Sql {
    const isMeant = version === undefined ? sql`TRUE` : sql`version = ${version}`;
    return sql`DELETE FROM ${this.table} WHERE id = ${id} AND ${isMeant} AND ${live(now)}`;
  }

  /** Insert if new, else update where the stored position is smaller (rule 24). */
  putGuarded({ id, body, position, isNew }: GuardedWrite, now: Instant): Sql {
    const json = body && JSON.stringify(body);
    const expiresAt = body ? null : plus(now, TOMBSTONE_LIFETIME);
    if (isNew) return this.insert({ id, position, expiresAt, body: json }, now);
    return sql`UPDATE ${this.table}
      SET version = version + 1, position = ${position}, expires_at = ${expiresAt}, body = ${json}
      WHERE id = ${id} AND position < ${position} AND ${unexpired(now)}`;
  }

  deleteExpired(atMost: number, now: Instant): Sql {
    return sql`DELETE FROM ${this.table}
      WHERE rowid IN (SELECT rowid FROM ${this.table} WHERE expires_at <= ${now} LIMIT ${atMost})`;
  }
}

/** A new row; `position` null outside read models, `body` null for a tombstone. */
interface Row {
  readonly id: string;
  readonly position: string | null;
  readonly expiresAt: Instant | null;
  readonly body: string | null;
}

const unexpired = (now: Instant): Sql => sql`(expires_at IS NULL OR expires_at > ${now})`;

/** Neither expired nor a tombstone. */
const live = (now: Instant): Sql => sql`(body IS NOT NULL AND ${unexpired(now)})`;
