import type { Document } from '../documents.port.js';
import type { PageEnd, Query } from '../query.js';
import type { SettingOf } from './setting.contract.js';

interface Booking {
  readonly holder: string;
  readonly createdAt: string | null;
}

/** Ten bookings of Ana, created at three times or at none: ties everywhere. */
const TIMES = ['t2', 't1', null, 't2', 't1', 't3', null, 't2', 't1', 't3'];

export const pagesContract = (setting: SettingOf): void => {
  describe('a scan', () => {
    it('goes through every live document by its id, and needs no index', async () => {
      const { store, clock } = setting();
      await store.prepare({ name: 'buyers', indexes: [] });
      for (const id of ['c', 'a', 'e', 'b', 'd']) await store.insert('buyers', id, { name: id });
      await store.insert('buyers', 'a2', { name: 'gone' }, { expiresAt: clock.now() });
      const scanned = async (after: string | null, limit: number) =>
        (await store.scan<{ readonly name: string }>('buyers', after, limit)).map(({ id, body }) => [id, body.name]);
      expect(await scanned(null, 2)).toEqual([
        ['a', 'a'],
        ['b', 'b'],
      ]);
      expect(await scanned('b', 10)).toEqual([
        ['c', 'c'],
        ['d', 'd'],
        ['e', 'e'],
      ]);
      expect(await scanned('e', 10)).toEqual([]);
    });
  });

  describe('pages', () => {
    type Direction = Query['sort']['direction'];
    const page = (direction: Direction, limit: number, after?: PageEnd): Promise<readonly Document<Booking>[]> => {
      const query = { where: [{ field: 'holder', equals: 'ana' }], sort: { field: 'createdAt', direction }, limit };
      return setting().store.find<Booking>('bookings', after ? { ...query, after } : query);
    };
    const add = (id: string, createdAt: string | null, holder = 'ana') =>
      setting().store.insert('bookings', id, { holder, createdAt });

    beforeEach(async () => {
      await setting().store.prepare({ name: 'bookings', indexes: [{ fields: ['holder', 'createdAt'] }] });
      for (const [place, createdAt] of TIMES.entries()) await add(`b${place}`, createdAt);
      await add('of-bruno', 't2', 'bruno');
    });

    it('sorts both ways: null first ascending, last descending, ties by id', async () => {
      const ascending = ['b2', 'b6', 'b1', 'b4', 'b8', 'b0', 'b3', 'b7', 'b5', 'b9'];
      expect((await page('ascending', 100)).map(({ id }) => id)).toEqual(ascending);
      expect((await page('descending', 100)).map(({ id }) => id)).toEqual(ascending.toReversed());
    });

    it.each(['ascending', 'descending'] as const)(
      'misses and repeats nothing page by page, %s, while documents are inserted elsewhere',
      async (direction) => {
        let inserted = 0;
        for (const size of [1, 2, 3, 4, 10]) {
          const seen: string[] = [];
          const whole = (await page(direction, 100)).map(({ id }) => id);
          let documents = await page(direction, size);
          for (let last = documents.at(-1); last; last = documents.at(-1)) {
            seen.push(...documents.map(({ id }) => id));
            inserted += 1;
            // Before everything just read, so in no page to come; and somebody else's, so in none at all.
            const before = direction === 'ascending' ? `a${1_000 - inserted}` : `c${1_000 + inserted}`;
            await add(before, documents[0]?.body.createdAt ?? null);
            await add(`of-bruno-${inserted}`, last.body.createdAt, 'bruno');
            documents = await page(direction, size, { value: last.body.createdAt, id: last.id });
          }
          expect(seen).toEqual(whole);
        }
      },
    );
  });
};
