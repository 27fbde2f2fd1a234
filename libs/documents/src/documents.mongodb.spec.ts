import { plus } from '#kernel';
import { FixedClock } from '#testing';
import { checksumContract } from './contract/checksum.contract.js';
import { documentsContract } from './documents.contract.js';
import type { MongoDocuments } from './documents.mongodb.js';
import { DuplicateDocument } from './documents.port.js';
import { lacksOf, overMongoDb } from './testing/mongodb.js';

const ACCOUNTS = { name: 'accounts', indexes: [{ fields: ['email'], unique: true }] };
const lacks = await lacksOf(process.env['MONGODB_URL']);
const clock = new FixedClock('2999-01-01T00:00:00.000Z');

overMongoDb('a server of MONGODB_URL', ({ raw, openEmpty }) => {
  const openKept: typeof openEmpty = (contractClock) => openEmpty(contractClock, true);
  documentsContract('MongoDB', openKept, () => raw.dropDatabase(), lacks);
  checksumContract('MongoDB', async () => {
    const store = await openEmpty(clock);
    const ledger = raw.collection<{ _id: string }>('ledger');
    return {
      store,
      damage: async (change) => {
        const kept = await ledger.findOneAndDelete({ _id: 'a' });
        const { id = 'a', ...others } = change;
        await ledger.insertOne({ ...kept, ...others, _id: id });
        return store;
      },
    };
  });
});

overMongoDb('MongoDB, shared by several processes,', ({ raw, open, openEmpty }) => {
  let store: MongoDocuments;
  beforeEach(async () => {
    store = await openEmpty(clock);
    await store.prepare(ACCOUNTS);
  });

  it('lets one of 20 inserts win over an expired document, its id and its unique value, beside sweeps', async () => {
    const stores = await Promise.all([open(clock), open(clock), open(clock), open(clock)]);
    for (const one of stores) await one.prepare(ACCOUNTS);
    for (let round = 0; round < 15; round += 1) {
      const expiresAt = plus(clock.now(), 1);
      await store.insert('accounts', `id-${round}`, { email: `e-${round}` }, { expiresAt });
      clock.advance(1);
      const inserts = Array.from({ length: 20 }, async (_, place) => {
        const id = place % 2 === 0 ? `id-${round}` : `id-${round}-${place}`;
        const body = { email: `e-${round}`, place };
        await stores[place % stores.length]?.insert('accounts', id, body);
        return place;
      });
      const [outcomes] = await Promise.all([Promise.allSettled(inserts), store.deleteExpired()]);
      const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DuplicateDocument);
      }
      const living = await store.find('accounts', {
        where: [{ field: 'email', equals: `e-${round}` }],
        sort: { field: 'email', direction: 'ascending' },
        limit: 10,
      });
      expect(living.map(({ body }) => body)).toEqual([{ email: `e-${round}`, place: winners[0] }]);
    }
  });

  it('reads and replaces a document beside whose body an earlier version stored its arrays', async () => {
    await store.insert('accounts', 'ana', { email: 'a', words: ['rio'] });
    await raw
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: 'ana' }, { $set: { lists: { words: ['rio'] } } });
    expect(await store.get('accounts', 'ana')).toMatchObject({ body: { email: 'a', words: ['rio'] } });
    expect(await store.replace('accounts', 'ana', 1, { email: 'a', words: [] })).toBe(true);
    expect(await store.get('accounts', 'ana')).toMatchObject({ version: 2, body: { words: [] } });
  });

  it('says that another projector is ahead where both write one position, and so do not name each other’s work', async () => {
    const other = await open(clock);
    for (const one of [store, other]) await one.prepare({ name: 'orders', indexes: [] });
    const at = (place: number) => place.toString().padStart(20, '0');
    const ids = Array.from({ length: 40 }, (_, place) => `o${place}`);
    const batch = (by: string, place: number, isNew: boolean) =>
      ids.map((id) => ({ id, position: at(place), body: { by }, isNew }));
    for (let place = 1; place <= 10; place += 1) {
      const [ours, theirs] = await Promise.all([
        store.putGuarded('orders', batch('store', place, place === 1)),
        other.putGuarded('orders', batch('other', place, place === 1)),
      ]);
      expect([...ours, ...theirs].toSorted()).toEqual(ids.toSorted());
      const documents = await store.getGuarded('orders', ids);
      for (const { id, body } of documents) expect(body).toEqual({ by: ours.includes(id) ? 'other' : 'store' });
      expect(documents).toHaveLength(ids.length);
    }
  });
});

overMongoDb('MongoDB refuses', ({ openEmpty }) => {
  let store: MongoDocuments;
  beforeEach(async () => {
    store = await openEmpty(clock);
    await store.prepare(ACCOUNTS);
  });

  it('an object that would be read as operators', async () => {
    await store.insert('accounts', 'ana', { email: 'a', holder: 'h' });
    const operator: unknown = { $gt: '' };
    const strange = operator as string;
    const sort = { field: 'email', direction: 'ascending' } as const;
    const equals = (field: string) => ({ where: [{ field, equals: strange }] });
    await expect(store.get('accounts', strange)).rejects.toThrow(TypeError);
    await expect(store.insert('accounts', strange, {})).rejects.toThrow(TypeError);
    await expect(store.replace('accounts', strange, 1, {})).rejects.toThrow(TypeError);
    await expect(store.delete('accounts', strange)).rejects.toThrow(TypeError);
    await expect(store.getGuarded('accounts', [strange])).rejects.toThrow(TypeError);
    const write = { id: strange, body: {}, position: '1', isNew: true };
    await expect(store.putGuarded('accounts', [write])).rejects.toThrow(TypeError);
    await expect(store.count('accounts', equals('email'))).rejects.toThrow(TypeError);
    await expect(store.count('accounts', { where: [{ field: 'email', below: strange }] })).rejects.toThrow(TypeError);
    const after = { value: 'a', id: strange };
    await expect(store.find('accounts', { where: [], sort, limit: 1, after })).rejects.toThrow(TypeError);
    expect(await store.get('accounts', 'ana')).not.toBeNull();
  });

  it('a body that is too large, with its size', async () => {
    const body = { text: 'é'.repeat(5 * 1024 * 1024) };
    await expect(store.insert('accounts', 'big', body)).rejects.toThrow(/^a document of 2\d{7} bytes/);
    expect(await store.count('accounts', { where: [] })).toBe(0);
  });

  it('a unique value of another document in a batch of a projector, which is no sign of one ahead', async () => {
    const write = (id: string) => ({ id, body: { email: 'a' }, position: '1', isNew: true });
    await expect(store.putGuarded('accounts', [write('one'), write('two')])).rejects.toThrow(DuplicateDocument);
  });
});
