import { setTimeout as sleep } from 'node:timers/promises';
import { FixedClock, type TcpProxy } from '#testing';
import { MongoDocuments } from './documents.mongodb.js';
import { DocumentsUnavailable, DuplicateDocument } from './documents.port.js';
import { overMongoDb } from './testing/mongodb.js';
import { primaryOf, through } from './testing/mongodb-proxy.js';

const clock = new FixedClock();
const LEDGER = { name: 'ledger', indexes: [{ fields: ['writer'] }] };
const TIMEOUT = 1_500;
/** A call is one question to MongoDB, or a few: a write in the way of which expired documents stand. */
const BOUND = 3 * TIMEOUT;
/** How many requests get through before all connections are cut: fewer than a case makes, more than connecting takes. */
const REQUESTS = 150;
const at = (place: number) => place.toString().padStart(20, '0');

overMongoDb('MongoDB behind a network that breaks', ({ url, name, raw, openEmpty }) => {
  let direct: MongoDocuments;
  let store: MongoDocuments;
  let proxy: TcpProxy;
  const openThrough = () =>
    MongoDocuments.open({ url: through(url, proxy), database: name, clock, timeout: TIMEOUT, patience: 10_000 });

  beforeEach(async () => {
    direct = await openEmpty(clock);
    await direct.prepare(LEDGER);
    proxy = await primaryOf(raw);
    store = await openThrough();
    await store.prepare(LEDGER);
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  /** What came of a call: its answer, or null where nobody knows whether it was done. It ended in bounded time. */
  const outcome = async <Answer>(call: Promise<Answer>): Promise<Answer | null> => {
    const began = performance.now();
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof DocumentsUnavailable)) throw error;
      return null;
    } finally {
      expect(performance.now() - began).toBeLessThan(BOUND);
    }
  };

  it('loses nothing it acknowledged, and lets no two compare-and-sets win at one version', async () => {
    const ids = ['a', 'b', 'c'];
    for (const id of ids) await direct.insert('ledger', id, { entries: [] });
    const acknowledged = new Set<string>();
    const tried = new Set<string>();
    const write = async (writer: number): Promise<void> => {
      for (let place = 0; place < 15; place += 1) {
        const id = ids[(writer + place) % ids.length] ?? '';
        const entry = `${id} ${writer} ${place}`;
        const found = await outcome(store.get<{ entries: string[] }>('ledger', id));
        if (!found) continue;
        tried.add(entry);
        const body = { entries: [...found.body.entries, entry] };
        if (await outcome(store.replace('ledger', id, found.version, body))) acknowledged.add(entry);
      }
    };
    proxy.cutEvery(REQUESTS);
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    const documents = await Promise.all(ids.map((id) => direct.get<{ entries: string[] }>('ledger', id)));
    const entries = documents.flatMap((document) => document?.body.entries ?? []);
    expect(new Set(entries).size).toBe(entries.length);
    for (const entry of acknowledged) expect(entries).toContain(entry);
    for (const entry of entries) expect(tried).toContain(entry);
    // As many writes as entries: none was written over.
    const versions = documents.map((document) => document?.version ?? 0);
    expect(versions.reduce((sum, version) => sum + version - 1, 0)).toBe(entries.length);
    expect(acknowledged.size).toBeGreaterThan(0);
  });

  it('has every insert it acknowledged, and refuses none for the sake of itself', async () => {
    const ids = Array.from({ length: 300 }, (_, place) => `i${place}`);
    const acknowledged: string[] = [];
    const insert = async (id: string): Promise<void> => {
      const answer = await outcome(store.insert('ledger', id, { id }).then(() => true));
      if (answer) acknowledged.push(id);
    };
    const writer = async (): Promise<void> => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) await insert(id);
    };
    proxy.cutEvery(REQUESTS);
    await Promise.all(Array.from({ length: 16 }, writer));
    for (const id of acknowledged) expect(await direct.get('ledger', id)).toMatchObject({ body: { id } });
    expect(acknowledged.length).toBeGreaterThan(0);
  });

  it('knows its own write again after the answer to it was lost', async () => {
    const hello = await raw.command({ hello: 1 });
    proxy.loseAnswerTo('"mine"');
    const answer = await outcome(store.insert('ledger', 'one', { by: 'mine' }).then(() => 'inserted'));
    // Only a replica set remembers what it did; one server by itself leaves the outcome open.
    expect(answer).toBe(hello['setName'] ? 'inserted' : null);
    expect(await direct.get('ledger', 'one')).toMatchObject({ version: 1, body: { by: 'mine' } });
    await expect(store.insert('ledger', 'one', {})).rejects.toThrow(DuplicateDocument);
  });

  it('waits for an index that takes long to build, and for a large collection to be emptied', async () => {
    await direct.insert('ledger', 'a', { of: 'b' });
    const quick = { url: through(url, proxy), database: name, clock, timeout: 300, patience: 10_000 };
    const impatient = await MongoDocuments.open(quick);
    const long = 700;
    const built = proxy.holdAnswerTo('createIndexes', long);
    await Promise.all([impatient.prepare({ ...LEDGER, indexes: [{ fields: ['of'] }] }), built]);
    const emptied = proxy.holdAnswerTo('deletes', long);
    await Promise.all([impatient.clear('ledger'), emptied]);
    expect(await direct.count('ledger', { where: [] })).toBe(0);
    await impatient.close();
  });

  it('counts every event once, though two projectors replay batches that were cut anywhere', async () => {
    const EVENTS = 600;
    const documentOf = (event: number) => `d${event % 7}`;
    const other = await openThrough();
    await other.prepare(LEDGER);
    /** Folds the batch of events after `from` as a projector does; returns whether it is done. */
    const project = async (through: MongoDocuments, from: number): Promise<boolean> => {
      const events = Array.from({ length: 50 }, (_, place) => from + place + 1);
      const ids = [...new Set(events.map(documentOf))];
      const found = new Map((await through.getGuarded('ledger', ids)).map((one) => [one.id, one]));
      const writes = ids.map((id) => {
        const { body, position } = found.get(id) ?? { body: { count: 0 }, position: at(0) };
        const news = events.filter((event) => documentOf(event) === id && at(event) > position);
        const count = (body as { count: number }).count + news.length;
        const last = news.at(-1);
        return { id, position: last === undefined ? position : at(last), body: { count }, isNew: !found.has(id) };
      });
      const changed = writes.filter(({ id, position }) => position !== found.get(id)?.position);
      return (await through.putGuarded('ledger', changed)).length === 0;
    };
    const projector = async (through: MongoDocuments): Promise<void> => {
      for (let from = 0; from < EVENTS;) if (await outcome(project(through, from))) from += 50;
    };
    proxy.cutEvery(REQUESTS);
    await Promise.all([projector(store), projector(other)]);
    await other.close();
    const documents = await direct.getGuarded(
      'ledger',
      Array.from({ length: 7 }, (_, place) => `d${place}`),
    );
    for (const { id, body, position } of documents) {
      const events = Array.from({ length: EVENTS }, (_, place) => place + 1).filter((one) => documentOf(one) === id);
      expect({ body, position }).toEqual({ body: { count: events.length }, position: at(events.at(-1) ?? 0) });
    }
    expect(documents).toHaveLength(7);
  });

  it.each(['refuses connections', 'carries nothing'])(
    'answers in bounded time while it %s, and recovers',
    async (how) => {
      await store.insert('ledger', 'before', {});
      if (how === 'carries nothing') proxy.stall();
      else await proxy.goDown();
      const calls: readonly Promise<unknown>[] = [
        store.get('ledger', 'before'),
        store.insert('ledger', 'during', {}),
        store.replace('ledger', 'before', 1, { changed: true }),
        store.delete('ledger', 'before', 9),
        store.count('ledger', { where: [] }),
        store.putGuarded('ledger', [{ id: 'g', position: at(1), body: {}, isNew: true }]),
        store.collections(''),
        store.deleteExpired(),
      ];
      for (const answer of await Promise.all(calls.map((call) => outcome(call)))) expect(answer).toBeNull();
      await proxy.restore();
      const until = performance.now() + 10_000;
      while (!(await outcome(store.get('ledger', 'before')))) expect(performance.now()).toBeLessThan(until);
      await store.insert('ledger', 'after', {});
    },
  );

  it('comes back every time the server was away while many were asking, through any client', async () => {
    const clients = [store, await openThrough(), await openThrough()];
    for (const client of clients) await client.prepare(LEDGER);
    const answeredAt = clients.map(() => 0);
    let isOver = false;
    const askOn = async (client: MongoDocuments, place: number): Promise<void> => {
      while (!isOver) {
        await outcome(client.count('ledger', { where: [] }).then(() => (answeredAt[place] = performance.now())));
        await sleep(10);
      }
    };
    const asking = clients.flatMap((client, place) => Array.from({ length: 16 }, () => askOn(client, place)));
    for (let time = 0; time < 5; time += 1) {
      await sleep(300);
      await proxy.goDown();
      await sleep(TIMEOUT);
      await proxy.restore();
      const back = performance.now();
      while (answeredAt.some((at) => at < back)) {
        expect(performance.now() - back).toBeLessThan(3 * TIMEOUT);
        await sleep(20);
      }
    }
    isOver = true;
    await Promise.all(asking);
    for (const client of clients.slice(1)) await client.close();
  });
});
