import { DuplicateDocument } from '../documents.port.js';
import type { ItWith, SettingOf } from './setting.contract.js';

export const collectionsContract = (setting: SettingOf, itWith: ItWith): void => {
  describe('collections', () => {
    it('keeps documents of two collections apart, under the same id', async () => {
      const { store } = setting();
      for (const name of ['orders-v1-1', 'orders-v1-2']) await store.prepare({ name, indexes: [] });
      await store.insert('orders-v1-1', 'one', { in: 1 });
      await store.insert('orders-v1-2', 'one', { in: 2 });
      await store.delete('orders-v1-1', 'one');
      expect(await store.get('orders-v1-2', 'one')).toMatchObject({ body: { in: 2 } });
    });

    it('declares a collection again without harm, and with other indexes', async () => {
      const { store } = setting();
      await store.prepare({ name: 'accounts', indexes: [{ fields: ['email'], unique: true }] });
      await store.insert('accounts', 'ana', { email: 'a', age: 30 });
      await store.prepare({ name: 'accounts', indexes: [{ fields: ['email'], unique: true }] });
      await expect(store.insert('accounts', 'bruno', { email: 'a' })).rejects.toThrow(DuplicateDocument);
      await store.prepare({ name: 'accounts', indexes: [{ fields: ['age'] }] });
      expect(await store.count('accounts', { where: [{ field: 'age', equals: 30 }] })).toBe(1);
      await store.insert('accounts', 'bruno', { email: 'a' });
      await expect(store.count('accounts', { where: [{ field: 'email', equals: 'a' }] })).rejects.toThrow(TypeError);
    });

    it('drops a collection with everything in it', async () => {
      const { store } = setting();
      await store.prepare({ name: 'orders', indexes: [{ fields: ['holder'] }] });
      await store.insert('orders', 'one', { holder: 'ana' });
      await store.drop('orders');
      await expect(store.get('orders', 'one')).rejects.toThrow(TypeError);
      await store.prepare({ name: 'orders', indexes: [{ fields: ['holder'] }] });
      expect(await store.count('orders', { where: [] })).toBe(0);
      await store.insert('orders', 'one', { holder: 'bruno' });
      expect(await store.count('orders', { where: [{ field: 'holder', equals: 'bruno' }] })).toBe(1);
    });

    itWith('codes for what is not there')('drops a collection that does not exist', async () => {
      const { store } = setting();
      await store.prepare({ name: 'orders', indexes: [] });
      await store.drop('orders');
      await store.drop('orders');
      expect(await store.collections('orders')).toEqual([]);
    });

    it('clears a collection, which goes on with its indexes', async () => {
      const { store } = setting();
      await store.prepare({ name: 'accounts', indexes: [{ fields: ['email'], unique: true }] });
      await store.insert('accounts', 'ana', { email: 'a' });
      await store.insert('accounts', 'bruno', { email: 'b' });
      const clearing = store.clear('accounts');
      expect(await store.count('accounts', { where: [] })).toBeLessThanOrEqual(2);
      await clearing;
      expect(await store.get('accounts', 'ana')).toBeNull();
      expect(await store.collections('accounts')).toEqual(['accounts']);
      await store.clear('accounts');
      await store.insert('accounts', 'clara', { email: 'a' });
      await expect(store.insert('accounts', 'davi', { email: 'a' })).rejects.toThrow(DuplicateDocument);
    });

    it('names the collections that start with a prefix', async () => {
      const { store } = setting();
      for (const name of ['orders-v1-2', 'orders-v2-1', 'orders-v1-1', 'bookings-v1-1']) {
        await store.prepare({ name, indexes: [] });
      }
      expect((await store.collections('orders-v1-')).toSorted()).toEqual(['orders-v1-1', 'orders-v1-2']);
      expect(await store.collections('none')).toEqual([]);
    });

    it.each(['Orders', 'a b', 'a"b', "a'b", 'a_b', '', '1a', 'a;b'])('refuses %j as a name', async (name) => {
      const { store } = setting();
      await expect(store.prepare({ name, indexes: [] })).rejects.toThrow(TypeError);
      await expect(store.prepare({ name: 'fine', indexes: [{ fields: [name] }] })).rejects.toThrow(TypeError);
    });

    it('throws for a collection that was not prepared', async () => {
      await expect(setting().store.get('unknown', 'one')).rejects.toThrow(TypeError);
    });
  });
};
