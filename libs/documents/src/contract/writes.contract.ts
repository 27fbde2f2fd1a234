import { DuplicateDocument } from '../documents.port.js';
import type { ItWith, SettingOf } from './setting.contract.js';

const ACCOUNTS = { name: 'accounts', indexes: [{ fields: ['email'], unique: true }] };

export const writesContract = (setting: SettingOf, itWith: ItWith): void => {
  describe('single documents', () => {
    beforeEach(() => setting().store.prepare(ACCOUNTS));

    it('reads back what was inserted, as version 1', async () => {
      const { store } = setting();
      const body = { email: 'ana@example.com', deep: { list: [1, null, 'é'], open: false } };
      await store.insert('accounts', 'ana', body);
      expect(await store.get('accounts', 'ana')).toEqual({ id: 'ana', version: 1, body });
      expect(await store.get('accounts', 'bruno')).toBeNull();
    });

    it('reads those there are of many ids, each once', async () => {
      const { store } = setting();
      for (const id of ['ana', 'bruno', 'carla']) await store.insert('accounts', id, { email: `${id}@example.com` });
      await store.replace('accounts', 'bruno', 1, { email: 'b@example.com' });
      await store.delete('accounts', 'carla');
      const found = await store.getMany('accounts', ['bruno', 'ana', 'carla', 'nobody', 'ana', '{"$gt":""}']);
      expect([...found].sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
        { id: 'ana', version: 1, body: { email: 'ana@example.com' } },
        { id: 'bruno', version: 2, body: { email: 'b@example.com' } },
      ]);
      expect(await store.getMany('accounts', [])).toEqual([]);
    });

    it('refuses a second document under one id and keeps the first', async () => {
      const { store } = setting();
      await store.insert('accounts', 'ana', { email: 'ana@example.com' });
      await expect(store.insert('accounts', 'ana', { email: 'other@example.com' })).rejects.toThrow(DuplicateDocument);
      expect(await store.get('accounts', 'ana')).toMatchObject({ body: { email: 'ana@example.com' }, version: 1 });
    });

    it('lets one of 20 concurrent inserts of one id win', async () => {
      const { store } = setting();
      const inserts = Array.from({ length: 20 }, (_, place) => store.insert('accounts', 'ana', { place }));
      const outcomes = await Promise.allSettled(inserts);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DuplicateDocument);
      }
      expect(await store.get('accounts', 'ana')).toMatchObject({ body: { place: winner } });
    });

    it('replaces a document at the version read, once', async () => {
      const { store } = setting();
      await store.insert('accounts', 'ana', { step: 0 });
      expect(await store.replace('accounts', 'ana', 1, { step: 1 })).toBe(true);
      expect(await store.replace('accounts', 'ana', 1, { step: 'late' })).toBe(false);
      expect(await store.get('accounts', 'ana')).toEqual({ id: 'ana', version: 2, body: { step: 1 } });
      expect(await store.replace('accounts', 'nobody', 1, {})).toBe(false);
    });

    it('lets one of 20 concurrent compare-and-sets at one version win', async () => {
      const { store } = setting();
      await store.insert('accounts', 'ana', {});
      const changes = Array.from({ length: 20 }, (_, place) => store.replace('accounts', 'ana', 1, { place }));
      const outcomes = await Promise.all(changes);
      expect(outcomes.filter((won) => won)).toHaveLength(1);
      expect(await store.get('accounts', 'ana')).toMatchObject({ version: 2, body: { place: outcomes.indexOf(true) } });
    });

    it('deletes a document, at a version only while it has that one', async () => {
      const { store } = setting();
      await store.insert('accounts', 'ana', {});
      expect(await store.delete('accounts', 'ana', 2)).toBe(false);
      expect(await store.delete('accounts', 'ana', 1)).toBe(true);
      expect(await store.delete('accounts', 'ana')).toBe(false);
      expect(await store.get('accounts', 'ana')).toBeNull();
      await store.insert('accounts', 'ana', {});
      expect(await store.delete('accounts', 'ana')).toBe(true);
    });

    it('keeps the values of a unique index apart, in insert and in replace', async () => {
      const { store } = setting();
      await store.insert('accounts', 'ana', { email: 'ana@example.com' });
      const taken = { email: 'ana@example.com' };
      await expect(store.insert('accounts', 'bruno', taken)).rejects.toThrow(DuplicateDocument);
      await store.insert('accounts', 'bruno', { email: 'bruno@example.com' });
      await expect(store.replace('accounts', 'bruno', 1, taken)).rejects.toThrow(DuplicateDocument);
      expect(await store.replace('accounts', 'ana', 1, { ...taken, name: 'Ana' })).toBe(true);
      await store.delete('accounts', 'ana');
      expect(await store.replace('accounts', 'bruno', 1, taken)).toBe(true);
    });

    itWith('unique indexes of some documents only')('lets documents without a value share a unique index', async () => {
      const { store } = setting();
      await store.insert('accounts', 'ana', { email: null });
      await store.insert('accounts', 'bruno', {});
      expect(await store.count('accounts', { where: [{ field: 'email', equals: null }] })).toBe(2);
    });

    it('lets one of 20 concurrent inserts of one unique value win', async () => {
      const { store } = setting();
      const inserts = Array.from({ length: 20 }, (_, place) =>
        store.insert('accounts', `a${place}`, { email: 'ana@example.com' }),
      );
      const outcomes = await Promise.allSettled(inserts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await store.count('accounts', { where: [] })).toBe(1);
    });
  });
};
