import { FixedClock } from '#testing';
import { MongoDocuments } from './documents.mongodb.js';
import { DocumentsUnavailable } from './documents.port.js';
import { overMongoDb } from './testing/mongodb.js';
import { ReplicaSet } from './testing/replica-set.js';

const clock = new FixedClock();
const LEDGER = { name: 'ledger', indexes: [{ fields: ['writer'] }] };
const TIMEOUT = 1_000;
const at = (place: number) => place.toString().padStart(20, '0');

overMongoDb('MongoDB, a replica set that elects another primary,', ({ url, name, openEmpty }) => {
  let direct: MongoDocuments;
  let store: MongoDocuments;
  let set: ReplicaSet;

  const open = (timeout: number) =>
    MongoDocuments.open({ url: set.url, database: name, clock, timeout, patience: 10_000 });
  beforeEach(async () => {
    direct = await openEmpty(clock);
    await direct.prepare(LEDGER);
    set = await ReplicaSet.before(url);
    store = await open(TIMEOUT);
    await store.prepare(LEDGER);
  });
  afterEach(async () => {
    await store.close();
    await set.close();
  });

  /** Repeats a call until it is answered, as whoever was told 503 does. */
  const insist = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    for (const until = performance.now() + 10_000; ;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof DocumentsUnavailable) || performance.now() > until) throw error;
      }
    }
  };
  const guarded = (ids: readonly string[], place: number, isNew: boolean) =>
    ids.map((id) => ({ id, position: at(place), body: { place }, isNew }));
  const ids = Array.from({ length: 200 }, (_, place) => `i${1_000 + place}`);
  const versions = async () => {
    const found = await direct.getMany<object>('ledger', ids);
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ version }) => version);
  };
  const placesOf = async (ids: readonly string[]) =>
    (await direct.getGuarded('ledger', ids)).map(({ position }) => Number(position));

  it.each(['NotWritablePrimary', 'PrimarySteppedDown', 'InterruptedDueToReplStateChange'] as const)(
    'writes nothing and is unavailable while all say %s, and goes on with another one',
    async (refusal) => {
      await store.insert('ledger', 'a', { n: 0 });
      set.stepDown(refusal);
      const calls = [
        store.get('ledger', 'a'),
        store.insert('ledger', 'b', {}),
        store.replace('ledger', 'a', 1, { n: 1 }),
        store.delete('ledger', 'a', 1),
        store.putGuarded('ledger', guarded(['g'], 1, true)),
      ];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DocumentsUnavailable) });
      expect(set.refused).toBeGreaterThan(0);
      expect(await direct.count('ledger', { where: [] })).toBe(1);
      set.cut();
      set.elect();
      expect(await insist(() => store.get('ledger', 'a'))).toMatchObject({ version: 1, body: { n: 0 } });
      await store.insert('ledger', 'b', {});
      expect(await store.replace('ledger', 'a', 1, { n: 1 })).toBe(true);
    },
  );

  it('makes calls wait for a quick election, and does each once', async () => {
    const patient = await open(30_000);
    await patient.prepare(LEDGER);
    for (let round = 0; round < 2; round += 1) {
      const writes = ids.map((id) =>
        round === 0 ? patient.insert('ledger', id, {}).then(() => true) : patient.replace('ledger', id, round, {}),
      );
      await Promise.race(writes);
      set.stepDown('PrimarySteppedDown');
      set.elect();
      expect(await Promise.all(writes)).toEqual(ids.map(() => true));
    }
    await patient.close();
    expect(await versions()).toEqual(ids.map(() => 2));
  });

  it('loses nothing that a primary acknowledged before it was gone, and does nothing twice', async () => {
    await Promise.all(ids.map((id) => direct.insert('ledger', id, {})));
    const writes = ids.map((id) => store.replace('ledger', id, 1, {}));
    await Promise.race(writes);
    set.die();
    set.elect();
    const outcomes = await Promise.allSettled(writes);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DocumentsUnavailable);
    const before = await versions();
    for (const [place, { status }] of outcomes.entries()) if (status === 'fulfilled') expect(before[place]).toBe(2);
    // Who was told nothing reads, and writes at the version that it finds.
    await Promise.all(ids.map((id, place) => insist(() => store.replace('ledger', id, before[place] ?? 0, {}))));
    expect(await versions()).toEqual(before.map((version) => version + 1));
  });

  it('knows by another primary what the one before wrote without an answer', async () => {
    await store.insert('ledger', 'a', {});
    set.lastWords = '"mine"';
    await store.insert('ledger', 'b', { by: 'mine' });
    set.lastWords = '"ours"';
    expect(await store.replace('ledger', 'a', 1, { by: 'ours' })).toBe(true);
    expect(set.lastWords).toBeNull();
    expect(await direct.get('ledger', 'a')).toMatchObject({ version: 2, body: { by: 'ours' } });
  });

  it('tells a projector that a batch is done whose answer nobody gave', async () => {
    const three = ['a', 'b', 'c'];
    expect(await store.putGuarded('ledger', guarded(three, 1, true))).toEqual([]);
    set.interruptAfter = three.length;
    await expect(store.putGuarded('ledger', guarded(three, 2, false))).rejects.toThrow(DocumentsUnavailable);
    set.elect();
    expect(await placesOf(three)).toEqual([2, 2, 2]);
    expect(await insist(() => store.putGuarded('ledger', guarded(three, 2, false)))).toEqual(three);
    expect(await store.putGuarded('ledger', guarded(three, 3, false))).toEqual([]);
  });

  it('finishes a batch that was interrupted in its middle, whatever of it is new', async () => {
    const four = ['a', 'b', 'c', 'd'];
    for (const [place, isNew] of [
      [1, true],
      [2, false],
    ] as const) {
      set.interruptAfter = 2;
      await expect(store.putGuarded('ledger', guarded(four, place, isNew))).rejects.toThrow(DocumentsUnavailable);
      set.elect();
      expect(await insist(() => store.putGuarded('ledger', guarded(four, place, isNew)))).toEqual(['a', 'b']);
      expect(await placesOf(four)).toEqual(four.map(() => place));
    }
  });
});
