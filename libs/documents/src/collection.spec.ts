import { FixedClock, withCalls } from '#testing';
import { z } from 'zod';
import { Collection } from './collection.js';
import { type Documents, DocumentsUnavailable, DuplicateDocument } from './documents.port.js';
import { MemoryDocuments } from './testing/index.js';
import { overriding } from '#kernel';

const SPEC = { name: 'accounts', indexes: [{ fields: ['email'], unique: true }, { fields: ['city'] }] };
const account = z.object({ email: z.string(), city: z.string(), visits: z.int().default(0) });
const ana = { email: 'ana@example.com', city: 'Recife', visits: 0 };
const bruno = { email: 'bruno@example.com', city: 'Natal', visits: 0 };

let clock: FixedClock;
let documents: MemoryDocuments;
let accounts: Collection<z.infer<typeof account>>;
beforeEach(async () => {
  clock = new FixedClock();
  documents = new MemoryDocuments(clock);
  accounts = new Collection(documents, SPEC, account);
  await accounts.prepare();
});

const visit = (known: z.infer<typeof account> | null) => known && { ...known, visits: known.visits + 1 };

describe('a collection', () => {
  it('reads what its schema makes of a document, and refuses what does not fit it', async () => {
    await documents.insert(SPEC.name, 'a', { email: 'ana@example.com', city: 'Recife' });
    expect((await accounts.get('a'))?.body).toEqual(ana);
    expect(await accounts.get('nobody')).toBeNull();
    await documents.insert(SPEC.name, 'b', { email: 7, city: 'Recife' });
    await expect(accounts.get('b')).rejects.toThrow(z.ZodError);
  });

  it('takes an id once, of however many who want it at once', async () => {
    const wanted = Array.from({ length: 8 }, (_, index) => accounts.insertIfAbsent('a', { ...ana, visits: index }));
    expect((await Promise.all(wanted)).filter((isTaken) => isTaken)).toHaveLength(1);
    await expect(accounts.insert('a', ana)).rejects.toThrow(DuplicateDocument);
  });

  it('takes a value of a unique index once', async () => {
    expect(await accounts.insertIfAbsent('a', ana)).toBe(true);
    expect(await accounts.insertIfAbsent('b', ana)).toBe(false);
  });

  it('replaces only what is still as it was read', async () => {
    await accounts.insert('a', ana);
    const [one, other] = await Promise.all([accounts.get('a'), accounts.get('a')]);
    expect(one && (await accounts.replace(one, { ...one.body, visits: 1 }))).toBe(true);
    expect(other && (await accounts.replace(other, { ...other.body, visits: 2 }))).toBe(false);
    expect((await accounts.get('a'))?.body.visits).toBe(1);
  });

  it('loses no update of many at once', async () => {
    await accounts.insert('a', ana);
    await Promise.all(Array.from({ length: 10 }, () => accounts.update('a', visit)));
    expect((await accounts.get('a'))?.body.visits).toBe(10);
  });

  it('inserts by an update where there is nothing, and leaves what the change leaves', async () => {
    const counted = await Promise.all(
      Array.from({ length: 5 }, () => accounts.update('a', (known) => visit(known) ?? ana)),
    );
    expect(counted.map((body) => body?.visits).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await accounts.update('a', () => null)).toBeNull();
    expect(await accounts.update('nobody', visit)).toBeNull();
    expect((await accounts.get('a'))?.version).toBe(5);
  });

  it('keeps the expiry that a change does not name', async () => {
    await accounts.insert('a', ana, { expiresAt: '2030-01-01T00:00:00.000Z' });
    await accounts.update('a', visit);
    clock.advance(Date.parse('2030-01-01T00:00:00.000Z') - Date.parse(clock.now()));
    expect(await accounts.get('a')).toBeNull();
  });

  it('finds, walks and deletes by an indexed field, over pages', async () => {
    for (let number = 0; number < 120; number += 1) {
      await accounts.insert(`r${number}`, { ...ana, email: `${number}@example.com` });
    }
    await accounts.insert('n', bruno);
    const emails: string[] = [];
    for await (const { body } of accounts.all('email')) emails.push(body.email);
    expect(emails).toHaveLength(121);
    expect(emails).toEqual([...emails].sort());
    expect(await accounts.deleteAll('city', 'Recife')).toBe(120);
    const sort = { field: 'city', direction: 'ascending' } as const;
    expect((await accounts.find({ where: [], sort, limit: 10 })).map(({ id }) => id)).toEqual(['n']);
  });

  it('deletes what is inserted while it deletes, wherever that sorts', async () => {
    await accounts.insert('m', ana);
    const another = { ...ana, email: 'another@example.com' };
    const busy = overriding<Documents>(documents, {
      delete: async (collection, id) => {
        if (id === 'm') await documents.insert(collection, 'a', another);
        return documents.delete(collection, id);
      },
    });
    expect(await new Collection(busy, SPEC, account).deleteAll('city', 'Recife')).toBe(2);
    expect(await accounts.get('a')).toBeNull();
  });

  it('passes on that the store does not answer', async () => {
    const down = withCalls<Documents>(
      documents,
      () => () => Promise.reject(new DocumentsUnavailable('mongodb://user:password@host')),
    );
    const unreachable = new Collection(down, SPEC, account);
    const calls = [
      unreachable.prepare(),
      unreachable.get('a'),
      unreachable.insertIfAbsent('a', ana),
      unreachable.replace({ id: 'a', version: 1, body: ana }, ana),
      unreachable.update('a', visit),
      unreachable.delete('a'),
      unreachable.deleteAll('city', 'Recife'),
    ];
    for (const call of calls) {
      await expect(call).rejects.toThrow(DocumentsUnavailable);
    }
  });
});
