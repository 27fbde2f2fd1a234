import fc from 'fast-check';
import { anyText } from '#testing';
import type { SettingOf } from './setting.contract.js';

const NOTES = { name: 'notes', indexes: [{ fields: ['title'] }, { fields: ['number'], unique: true }] };

/** Names that mean something to a database, a driver or JavaScript. */
const STRANGE_NAMES = [
  '$gt',
  '$where',
  'a.b',
  '.',
  '',
  'nul\0',
  '__proto__',
  'constructor',
  'toBSON',
  '_bsontype',
  '_id',
  '\ud800',
  '\u{1f6eb}',
  '10',
  '2',
];
const string = fc.oneof(fc.constantFrom(...STRANGE_NAMES, 'ObjectId'), anyText());
const number = fc.oneof(fc.constantFrom(2 ** 31, 2 ** 53, -(2 ** 53), 0.1, 1e300, 5e-324), fc.integer());
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    string,
    number,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(string, tie('json'), { maxKeys: 4 }),
  ),
}));

/** A body comes back as the JSON that it was, in the order that it had; ids and values mean themselves. */
export const bodiesContract = (setting: SettingOf): void => {
  describe('bodies', () => {
    beforeEach(() => setting().store.prepare(NOTES));

    it('gives any body back exactly: names, order, numbers, characters', async () => {
      const { store } = setting();
      let count = 0;
      const comesBack = async (body: Record<string, unknown>) => {
        const id = `n${(count += 1)}`;
        const named = { ...body, title: id, number: count };
        const text = JSON.stringify(named);
        await store.insert('notes', id, named);
        expect(JSON.stringify((await store.get('notes', id))?.body)).toBe(text);
        const page = await store.find('notes', {
          where: [{ field: 'number', equals: count }],
          sort: { field: 'title', direction: 'ascending' },
          limit: 1,
        });
        expect(page.map((document) => JSON.stringify(document.body))).toEqual([text]);
        expect(await store.replace('notes', id, 1, { again: named, number: count })).toBe(true);
        expect(JSON.stringify((await store.get('notes', id))?.body)).toBe(`{"again":${text},"number":${count}}`);
      };
      await fc.assert(fc.asyncProperty(fc.dictionary(string, json, { maxKeys: 5 }), comesBack));
    });

    it('stores what JSON makes of a body: no undefined, dates as text', async () => {
      const { store } = setting();
      const at = new Date(0);
      await store.insert('notes', 'one', { title: undefined, list: [undefined], at, number: Number.NaN });
      await store.insert('notes', 'two', { number: 2 });
      expect(await store.get('notes', 'one')).toMatchObject({
        body: { list: [null], at: '1970-01-01T00:00:00.000Z', number: null },
      });
      expect(await store.count('notes', { where: [{ field: 'title', equals: null }] })).toBe(2);
    });

    it.each(['$id', '{"$gt":""}', 'a.b', '__proto__', 'constructor', '', ' '])('takes %j as an id', async (id) => {
      const { store } = setting();
      await store.insert('notes', 'other', { title: 'other', number: 1 });
      await store.insert('notes', id, { title: id, number: 2 });
      expect(await store.get('notes', id)).toEqual({ id, version: 1, body: { title: id, number: 2 } });
      expect(await store.replace('notes', id, 1, { title: id, number: 2, seen: true })).toBe(true);
      expect(await store.count('notes', { where: [{ field: 'title', equals: id }] })).toBe(1);
      expect(await store.delete('notes', id)).toBe(true);
      expect(await store.count('notes', { where: [] })).toBe(1);
    });
  });
};
