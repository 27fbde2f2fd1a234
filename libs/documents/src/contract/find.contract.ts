import type { Condition, Filter } from '../query.js';
import type { SettingOf } from './setting.contract.js';

const FLIGHTS = { name: 'flights', indexes: [{ fields: ['from', 'seats'] }, { fields: ['number'] }] };

/** Strings that mean something to somebody, but not to a document store. */
const STRANGE = [
  '{"$gt":""}',
  '$where',
  "' OR 1=1 --",
  '"; DROP TABLE flights; --',
  '%',
  '_',
  '*',
  '.*',
  '[a-z]',
  '?1',
  '',
  ' ',
  '\\',
  'São Paulo',
  '\u{1f6eb}',
  '\u{10ffff}',
];

/** Find and count by equality, range and alternatives on declared fields. */
export const findContract = (setting: SettingOf): void => {
  describe('finding', () => {
    const found = async (where: readonly Condition[], anyOf?: Filter['anyOf']): Promise<readonly string[]> => {
      const filter = { where, ...(anyOf && { anyOf }) };
      const sort = { field: 'number', direction: 'ascending' } as const;
      const documents = await setting().store.find('flights', { ...filter, sort, limit: 500 });
      expect(await setting().store.count('flights', filter)).toBe(documents.length);
      expect(await setting().store.count('flights', filter, 2)).toBe(Math.min(2, documents.length));
      return documents.map(({ id }) => id);
    };
    const insert = (id: string, body: object) => setting().store.insert('flights', id, { number: id, ...body });

    beforeEach(async () => {
      await setting().store.prepare(FLIGHTS);
      await insert('A1', { from: 'GRU', seats: 10, open: true });
      await insert('A2', { from: 'GRU', seats: 0 });
      await insert('B1', { from: 'CGH', seats: 10 });
      await insert('B2', { from: null });
    });

    it('finds by equality, null being equal to null and to an absent field', async () => {
      expect(await found([{ field: 'from', equals: 'GRU' }])).toEqual(['A1', 'A2']);
      expect(await found([{ field: 'from', equals: 'gru' }])).toEqual([]);
      expect(await found([{ field: 'seats', equals: 0 }])).toEqual(['A2']);
      expect(await found([{ field: 'from', equals: null }])).toEqual(['B2']);
      expect(await found([{ field: 'seats', equals: null }])).toEqual(['B2']);
    });

    it('finds by range, lower bound included, upper bound not, null never', async () => {
      expect(await found([{ field: 'seats', atLeast: 0, below: 10 }])).toEqual(['A2']);
      expect(await found([{ field: 'seats', atLeast: 10 }])).toEqual(['A1', 'B1']);
      expect(await found([{ field: 'seats', below: 11 }])).toEqual(['A1', 'A2', 'B1']);
      expect(await found([{ field: 'number', atLeast: 'A2', below: 'B2' }])).toEqual(['A2', 'B1']);
    });

    it('joins the conditions with "and", the alternatives with "or"', async () => {
      const guarulhos = { field: 'from', equals: 'GRU' };
      const congonhas = { field: 'from', equals: 'CGH' };
      const full = { field: 'seats', equals: 10 };
      expect(await found([guarulhos, full])).toEqual(['A1']);
      expect(await found([], [[guarulhos], [congonhas]])).toEqual(['A1', 'A2', 'B1']);
      expect(await found([full], [[guarulhos], [congonhas]])).toEqual(['A1', 'B1']);
      expect(
        await found(
          [],
          [
            [guarulhos, full],
            [congonhas, guarulhos],
          ],
        ),
      ).toEqual(['A1']);
      expect(await found([], [])).toEqual([]);
      expect(await found([], [[]])).toEqual(['A1', 'A2', 'B1', 'B2']);
    });

    it.each(STRANGE)('takes %j as a plain value: id and field', async (strange) => {
      await insert(`id ${strange}`, { from: strange });
      const id = `id ${strange}`;
      expect(await setting().store.get('flights', id)).toMatchObject({ id, body: { from: strange } });
      expect(await found([{ field: 'from', equals: strange }])).toEqual([id]);
      expect(await found([{ field: 'from', atLeast: strange, below: `${strange}!` }])).toEqual([id]);
    });

    it('throws for a field without an index, which is a programmer’s error', async () => {
      await expect(found([{ field: 'open', equals: true }])).rejects.toThrow(TypeError);
      await expect(found([{ field: "a' OR 1=1", equals: 1 }])).rejects.toThrow(TypeError);
      const sort = { field: 'open', direction: 'ascending' } as const;
      await expect(setting().store.find('flights', { where: [], sort, limit: 1 })).rejects.toThrow(TypeError);
    });

    it('throws for a limit below one', async () => {
      const unlimited = { where: [], sort: { field: 'number', direction: 'ascending' }, limit: 0 } as const;
      await expect(setting().store.find('flights', unlimited)).rejects.toThrow(TypeError);
    });
  });
};
