import Libsql from 'libsql';
import { CollectionSql } from './collection-sql.js';
import { defineSql } from './collection-tables.js';
import type { Sql } from './sql.js';
import type { Query } from './query.js';

const spec = { name: 'bookings', indexes: [{ fields: ['holder', 'createdAt'] }] };
const bookings = new CollectionSql(spec);
const db = new Libsql(':memory:');
db.exec('CREATE TABLE collections (name TEXT PRIMARY KEY)');
for (const { text, values } of defineSql(spec, [])) db.prepare(text).run(values);
afterAll(() => {
  db.close();
});

const planOf = ({ text, values }: Sql): string =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .raw()
    .all(values)
    .map((row) => (row as string[])[3])
    .join('; ');

const page: Query = {
  where: [{ field: 'holder', equals: 'ana' }],
  sort: { field: 'createdAt', direction: 'descending' },
  limit: 10,
};

describe('the SQL of a collection', () => {
  it('serves the pages of a holder from one index, without sorting', () => {
    const next: Query = { ...page, after: { value: '2026', id: 'b1' } };
    for (const query of [page, next]) {
      expect(planOf(bookings.find(query, 'now'))).toBe(
        'SEARCH c_bookings USING INDEX i_bookings_holder_createdAt (<expr>=?)',
      );
    }
  });

  it('serves those of a period from the same index, without sorting', () => {
    const created = { field: 'createdAt', atLeast: '2026-01', below: '2026-02' };
    const query: Query = { ...page, where: [...page.where, created] };
    for (const sql of [bookings.find(query, 'now'), bookings.count(query, 'now')]) {
      expect(planOf(sql)).toContain('INDEX i_bookings_holder_createdAt (<expr>=? AND <expr>>? AND <expr><?)');
      expect(planOf(sql)).not.toContain('TEMP B-TREE');
    }
  });

  it('finds what has expired by an index', () => {
    expect(planOf(bookings.deleteExpired(500, 'now'))).toContain('e_bookings (expires_at<?)');
  });

  it('binds every value', () => {
    const { text, values } = bookings.find({ ...page, after: { value: "' OR 1=1 --", id: 'x' } }, 'now');
    expect(text).not.toContain('OR 1=1');
    expect(values).toContain("' OR 1=1 --");
  });

  it('refuses what only pretends to be a value', () => {
    const strange: unknown = { $gt: '' };
    const filter = { where: [{ field: 'holder', equals: strange as string }] };
    expect(() => bookings.count(filter, 'now')).toThrow(TypeError);
  });
});
