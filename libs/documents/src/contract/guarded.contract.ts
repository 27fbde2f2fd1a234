import { TOMBSTONE_LIFETIME } from '../read-model-store.port.js';
import type { SettingOf } from './setting.contract.js';

const at = (place: number) => place.toString().padStart(20, '0');
const all = { where: [], sort: { field: 'holder', direction: 'ascending' }, limit: 100 } as const;

/** Writes of projections, guarded by position (rule 24). */
export const guardedContract = (setting: SettingOf): void => {
  describe('guarded writes', () => {
    const put = (id: string, place: number, body: object | null, isNew: boolean) =>
      setting().store.putGuarded('orders', [{ id, position: at(place), body, isNew }]);
    const read = (...ids: string[]) => setting().store.getGuarded('orders', ids);
    beforeEach(() => setting().store.prepare({ name: 'orders', indexes: [{ fields: ['holder'] }] }));

    it('inserts what is new and updates what stands at a smaller position', async () => {
      expect(await put('o1', 3, { holder: 'ana' }, true)).toEqual([]);
      expect(await put('o1', 12, { holder: 'bruno' }, false)).toEqual([]);
      expect(await read('o1', 'o2')).toEqual([{ id: 'o1', position: at(12), body: { holder: 'bruno' } }]);
      expect(await setting().store.get('orders', 'o1')).toMatchObject({ body: { holder: 'bruno' }, version: 2 });
      expect(await setting().store.find('orders', all)).toHaveLength(1);
    });

    it('answers the ids that another projector is ahead with, and leaves them as they are', async () => {
      await put('o1', 5, { holder: 'ana' }, true);
      expect(await put('o1', 9, { holder: 'other' }, true)).toEqual(['o1']);
      expect(await put('o1', 5, { holder: 'other' }, false)).toEqual(['o1']);
      expect(await put('o1', 4, { holder: 'other' }, false)).toEqual(['o1']);
      expect(await put('gone', 9, { holder: 'other' }, false)).toEqual(['gone']);
      expect(await read('o1', 'gone')).toEqual([{ id: 'o1', position: at(5), body: { holder: 'ana' } }]);
    });

    it('writes the rest of a batch when another projector is ahead with some of it', async () => {
      const { store } = setting();
      await put('o1', 5, { holder: 'ana' }, true);
      const writes = ['o0', 'o1', 'o2'].map((id) => ({ id, position: at(4), body: { holder: 'new' }, isNew: true }));
      expect(await store.putGuarded('orders', writes)).toEqual(['o1']);
      expect((await read('o0', 'o1', 'o2')).map(({ position }) => position).sort()).toEqual([at(4), at(4), at(5)]);
      expect(await store.putGuarded('orders', [])).toEqual([]);
    });

    it('keeps a tombstone’s position, which reads as absent, takes later writes and refuses earlier ones', async () => {
      const { store } = setting();
      await put('o1', 5, { holder: 'ana' }, true);
      expect(await put('o1', 6, null, false)).toEqual([]);
      expect(await store.get('orders', 'o1')).toBeNull();
      expect(await store.find('orders', all)).toEqual([]);
      expect(await store.count('orders', { where: [] })).toBe(0);
      expect(await read('o1')).toEqual([{ id: 'o1', position: at(6), body: null }]);
      expect(await put('o1', 5, { holder: 'late' }, true)).toEqual(['o1']);
      expect(await put('o1', 6, { holder: 'late' }, false)).toEqual(['o1']);
      expect(await put('o1', 7, { holder: 'anew' }, false)).toEqual([]);
      expect(await store.get('orders', 'o1')).toMatchObject({ body: { holder: 'anew' } });
    });

    it('inserts a tombstone for what came and went within one batch', async () => {
      expect(await put('o1', 5, null, true)).toEqual([]);
      expect(await put('o1', 4, { holder: 'late' }, true)).toEqual(['o1']);
    });

    it('keeps a tombstone for a day, after which the id is new again', async () => {
      const { clock, store } = setting();
      await put('o1', 5, null, true);
      await put('back', 5, null, true);
      await put('back', 6, { holder: 'ana' }, false);
      clock.advance(TOMBSTONE_LIFETIME - 1);
      expect(await read('o1')).toHaveLength(1);
      clock.advance(1);
      expect(await read('o1')).toEqual([]);
      expect(await put('o1', 9, { holder: 'bruno' }, false)).toEqual(['o1']);
      expect(await put('o1', 9, { holder: 'bruno' }, true)).toEqual([]);
      expect(await store.deleteExpired()).toBe(0);
      expect(await read('o1', 'back')).toHaveLength(2);
    });

    it('lets one of 20 concurrent writes at one position win', async () => {
      const inserts = await Promise.all(Array.from({ length: 20 }, (_, place) => put('o1', 5, { place }, true)));
      expect(inserts.filter((ahead) => ahead.length === 0)).toHaveLength(1);
      const updates = await Promise.all(Array.from({ length: 20 }, (_, place) => put('o1', 6, { place }, false)));
      expect(updates.filter((ahead) => ahead.length === 0)).toHaveLength(1);
    });
  });
};
