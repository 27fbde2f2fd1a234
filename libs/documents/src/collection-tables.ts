import type { CollectionSpec, Index } from './query.js';
import { field, identifier, list, row, type Sql, sql } from './sql.js';

export const tableOf = (collection: string): Sql => identifier('c', collection);

/** Makes what is missing of a collection's table and indexes, and takes away the indexes that are no longer declared. */
export const defineSql = (spec: CollectionSpec, existingIndexes: readonly string[]): readonly Sql[] => {
  const { name } = spec;
  const indexes = [expiryIndex(name), ...spec.indexes.map((index) => indexOf(name, index))];
  const declared = new Set(indexes.map((index) => index.name));
  return [
    sql`INSERT OR IGNORE INTO collections (name) VALUES (${name})`,
    sql`CREATE TABLE IF NOT EXISTS ${tableOf(name)} (
      id TEXT PRIMARY KEY, version INTEGER NOT NULL, position TEXT, expires_at TEXT, body TEXT,
      checksum INTEGER NOT NULL) STRICT`,
    ...indexes.map(({ definition }) => definition),
    ...existingIndexes
      .filter((index) => !declared.has(index))
      .map((index) => sql`DROP INDEX ${identifier(...index.split('_'))}`),
  ];
};

export const dropSql = (collection: string): readonly Sql[] => [
  sql`DELETE FROM collections WHERE name = ${collection}`,
  sql`DROP TABLE IF EXISTS ${tableOf(collection)}`,
];

export const collectionsSql: Sql = sql`SELECT ${row(sql`name`)} FROM collections ORDER BY name`;

/** A row, where the table of a collection was made before documents had checksums; a collection without a table is damage. */
export const uncheckedSql: Sql = sql`SELECT ${row(sql`1`)} FROM collections
  WHERE EXISTS (SELECT 1 FROM sqlite_schema AS tables WHERE tables.name = 'c_' || collections.name) AND NOT EXISTS
  (SELECT 1 FROM pragma_table_info('c_' || collections.name) AS columns WHERE columns.name = 'checksum') LIMIT 1`;

export const existingIndexesSql = (collection: string): Sql =>
  sql`SELECT ${row(sql`name`)} FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ${`c_${collection}`}`;

const indexOf = (collection: string, { fields, unique }: Index): { name: string; definition: Sql } => {
  const parts = [unique ? 'u' : 'i', collection, ...fields];
  const kind = unique ? sql`UNIQUE INDEX` : sql`INDEX`;
  // A page is sorted by id among equals, so the index is too; a unique one must not hold it.
  const columns = list([...fields.map((name) => field(name)), ...(unique ? [] : [sql`id`])]);
  return {
    name: parts.join('_'),
    definition: sql`CREATE ${kind} IF NOT EXISTS ${identifier(...parts)} ON ${tableOf(collection)} (${columns})`,
  };
};

const expiryIndex = (collection: string): { name: string; definition: Sql } => ({
  name: `e_${collection}`,
  definition: sql`CREATE INDEX IF NOT EXISTS ${identifier('e', collection)} ON ${tableOf(collection)} (expires_at)
    WHERE expires_at IS NOT NULL`,
});
