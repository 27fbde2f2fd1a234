import { FixedClock, openForEach } from '#testing';
import { DuplicateDocument } from './documents.port.js';
import { overMongoDb } from './testing/mongodb.js';

const ACCOUNTS = {
  name: 'accounts',
  indexes: [{ fields: ['email'], unique: true }, { fields: ['holder', 'createdAt'] }],
};
const clock = new FixedClock('2999-01-01T00:00:00.000Z');

overMongoDb('indexes in MongoDB', ({ raw, open, openEmpty }) => {
  const stored = raw.collection('accounts');
  const listed = async () => (await stored.listIndexes().toArray()) as { readonly name: string }[];
  const indexNames = async () => (await listed()).map(({ name }) => name).toSorted();
  const store = openForEach(() => openEmpty(clock));

  it('are made as they are declared, by many processes at once, any number of times', async () => {
    const others = await Promise.all([open(clock), open(clock), open(clock)]);
    const all = [store, ...others];
    await Promise.all([...all, ...all].map((one) => one.prepare(ACCOUNTS)));
    expect(await indexNames()).toEqual(['_id_', 'expiry', 'i_holder_createdAt', 'u_email']);
    const made = await listed();
    expect(made).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 60 }));
    expect(made).toContainEqual(expect.objectContaining({ key: { 'fields.email': 1 }, unique: true }));
  });

  it('are taken away where they would refuse what is declared no more, and an operator’s own are left', async () => {
    await store.prepare(ACCOUNTS);
    await stored.createIndexes([{ key: { position: 1 }, name: 'of-the-operator' }]);
    await store.prepare({ name: 'accounts', indexes: [{ fields: ['email'] }] });
    const left = ['_id_', 'expiry', 'i_email', 'i_holder_createdAt', 'of-the-operator'];
    expect(await indexNames()).toEqual(left);
  });

  it('find what was stored before they were declared, and refuse to be unique over what is not', async () => {
    await store.prepare({ name: 'accounts', indexes: [] });
    await store.insert('accounts', 'ana', { email: 'a', holder: 'h' });
    await store.insert('accounts', 'bruno', { email: 'a' });
    await expect(store.prepare(ACCOUNTS)).rejects.toThrow(DuplicateDocument);
    await store.delete('accounts', 'bruno');
    await store.prepare(ACCOUNTS);
    await expect(store.insert('accounts', 'bruno', { email: 'a' })).rejects.toThrow(DuplicateDocument);
    expect(await store.count('accounts', { where: [{ field: 'holder', equals: 'h' }] })).toBe(1);
  });
});
