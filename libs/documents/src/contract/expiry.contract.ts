import { plus } from '#kernel';
import { DuplicateDocument } from '../documents.port.js';
import type { SettingOf } from './setting.contract.js';

const TOKENS = { name: 'tokens', indexes: [{ fields: ['value'], unique: true }, { fields: ['holder'] }] };
const MINUTE = 60_000;

/** Expired documents read as absent and stand in nobody's way (rule 21). */
export const expiryContract = (setting: SettingOf): void => {
  describe('expiry', () => {
    const inOneMinute = () => ({ expiresAt: plus(setting().clock.now(), MINUTE) });
    const all = { where: [], sort: { field: 'holder', direction: 'ascending' }, limit: 100 } as const;
    beforeEach(() => setting().store.prepare(TOKENS));

    it('reads an expired document as absent: in get, find, count, replace and delete', async () => {
      const { store, clock } = setting();
      await store.insert('tokens', 'short', { holder: 'ana', value: 's' }, inOneMinute());
      await store.insert('tokens', 'long', { holder: 'ana', value: 'l' });
      clock.advance(MINUTE - 1);
      expect(await store.get('tokens', 'short')).not.toBeNull();
      expect(await store.count('tokens', { where: [] })).toBe(2);
      clock.advance(1);
      expect(await store.get('tokens', 'short')).toBeNull();
      expect((await store.find('tokens', all)).map(({ id }) => id)).toEqual(['long']);
      expect((await store.getMany('tokens', ['short', 'long'])).map(({ id }) => id)).toEqual(['long']);
      expect(await store.count('tokens', { where: [{ field: 'holder', equals: 'ana' }] })).toBe(1);
      expect(await store.replace('tokens', 'short', 1, {})).toBe(false);
      expect(await store.delete('tokens', 'short')).toBe(false);
    });

    it('inserts over an expired document, as version 1, once (rule 21)', async () => {
      const { store, clock } = setting();
      await store.insert('tokens', 'one', { holder: 'ana' }, inOneMinute());
      await store.replace('tokens', 'one', 1, { holder: 'ana', used: true });
      clock.advance(MINUTE);
      await store.insert('tokens', 'one', { holder: 'bruno' });
      expect(await store.get('tokens', 'one')).toEqual({ id: 'one', version: 1, body: { holder: 'bruno' } });
      await expect(store.insert('tokens', 'one', { holder: 'carla' })).rejects.toThrow(DuplicateDocument);
    });

    it('lets one of 20 concurrent inserts over an expired document win', async () => {
      const { store, clock } = setting();
      await store.insert('tokens', 'one', {}, inOneMinute());
      clock.advance(MINUTE);
      const inserts = Array.from({ length: 20 }, (_, place) => store.insert('tokens', 'one', { place }));
      const outcomes = await Promise.allSettled(inserts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('frees the unique values of an expired document, in insert and in replace', async () => {
      const { store, clock } = setting();
      await store.insert('tokens', 'one', { value: 'a' }, inOneMinute());
      await store.insert('tokens', 'two', { value: 'b' }, inOneMinute());
      await store.insert('tokens', 'three', { value: 'c' });
      clock.advance(MINUTE);
      await store.insert('tokens', 'four', { value: 'a' });
      expect(await store.replace('tokens', 'three', 1, { value: 'b' })).toBe(true);
      await expect(store.insert('tokens', 'five', { value: 'a' })).rejects.toThrow(DuplicateDocument);
    });

    it('keeps, moves or takes away the expiry when a document is replaced', async () => {
      const { store, clock } = setting();
      for (const id of ['kept', 'moved', 'lasting'])
        await store.insert('tokens', id, { holder: id, value: id }, inOneMinute());
      await store.replace('tokens', 'kept', 1, { holder: 'ana', value: 'k' });
      await store.replace(
        'tokens',
        'moved',
        1,
        { holder: 'ana', value: 'm' },
        { expiresAt: plus(clock.now(), 2 * MINUTE) },
      );
      await store.replace('tokens', 'lasting', 1, { holder: 'ana', value: 'l' }, { expiresAt: null });
      const living = async () => (await store.find('tokens', all)).map(({ id }) => id);
      clock.advance(MINUTE);
      expect(await living()).toEqual(['lasting', 'moved']);
      clock.advance(MINUTE);
      expect(await living()).toEqual(['lasting']);
    });

    it('deletes all that has expired and nothing else', async () => {
      const { store, clock } = setting();
      const values = Array.from({ length: 1_203 }, (_, place) => `s${place}`);
      const short = values.map((value) => store.insert('tokens', value, { value }, inOneMinute()));
      await Promise.all([...short, store.insert('tokens', 'long', {})]);
      expect(await store.deleteExpired()).toBe(0);
      clock.advance(MINUTE);
      expect(await store.deleteExpired()).toBe(1_203);
      expect(await store.deleteExpired()).toBe(0);
      expect(await store.get('tokens', 'long')).not.toBeNull();
    });
  });
};
