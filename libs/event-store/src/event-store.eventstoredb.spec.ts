import { jsonEvent } from '@eventstore/db-client';
import { tellNotGiven } from '#testing';
import { Connection } from './connection.eventstoredb.js';
import { eventStoreContract } from './event-store.contract.js';
import { EventsTooLarge, StoreUnavailable } from './event-store.errors.js';
import { EventStoreDb } from './event-store.eventstoredb.js';
import { NO_STREAM } from './event-store.port.js';
import { Namespace } from './names.eventstoredb.js';
import { Reads } from './reads.eventstoredb.js';
import { follow } from './subscription.eventstoredb.js';
import { newNamespace, serverUrl } from './testing/event-store-server.js';
import {
  all,
  deliveries,
  endOf,
  eventsOf,
  newCategory,
  numbersOf,
  sample,
  samples,
  untilEvents,
  upTo,
} from './testing/sample-events.js';

/** So many events of others pass unseen before a subscription is begun anew. */
const MANY = 255;

const suite = (url: string): void => {
  const namespace = newNamespace();
  eventStoreContract('EventStoreDb', () => Promise.resolve(EventStoreDb.open({ url, namespace })));

  describe('EventStoreDb', () => {
    let store: EventStoreDb;
    let stream = '';
    beforeEach(() => {
      store = EventStoreDb.open({ url, namespace });
      stream = `${newCategory()}-1`;
    });
    afterEach(() => store.close());

    it.each([
      ['the server takes', 2 * 1024 * 1024],
      ['any server takes', 17 * 1024 * 1024],
    ])('refuses events larger than %s, and the appends beside them do not notice', async (_, bytes) => {
      const beside = upTo(20).map((n) => store.append(`${stream}${n}`, NO_STREAM, [sample()]));
      const large = store.append(stream, NO_STREAM, [sample({ text: 'x'.repeat(bytes) })]);
      await expect(large).rejects.toBeInstanceOf(EventsTooLarge);
      await Promise.all(beside);
      expect(await all(store.readStream(stream))).toEqual([]);
      await store.append(stream, NO_STREAM, [sample()]);
    });

    it('tells where an append is in the log', async () => {
      const { position } = await store.append(stream, NO_STREAM, samples(3));
      expect((await all(store.readStream(stream))).map((event) => event.position).at(-1)).toBe(position);
    });

    it('sees nothing of other namespaces, nor of the server’s own streams', async () => {
      const other = EventStoreDb.open({ url, namespace: newNamespace() });
      const after = await endOf(store);
      await store.append(stream, NO_STREAM, samples(2));
      await other.append(stream, NO_STREAM, samples(3, 10));
      const category = stream.slice(0, -2);
      expect(numbersOf(await all(store.readAll(after)))).toEqual([0, 1]);
      expect(numbersOf(await all(other.readAll(null)))).toEqual([10, 11, 12]);
      expect((await store.head())?.data).toEqual({ n: 1 });
      expect((await other.head())?.data).toEqual({ n: 12 });
      const found = await deliveries(other, { after: null, categories: [category] }, untilEvents(3));
      expect(numbersOf(eventsOf(found))).toEqual([10, 11, 12]);
      await other.close();
    });

    it('finds its last event below thousands of others, and has none while it is empty', async () => {
      const other = EventStoreDb.open({ url, namespace: newNamespace() });
      expect(await other.head()).toBeNull();
      await other.append(stream, NO_STREAM, [sample({ n: 'ours' })]);
      for (const n of upTo(3)) await store.append(`${stream}${n}`, NO_STREAM, samples(900));
      for (const _ of upTo(2)) expect((await other.head())?.data).toEqual({ n: 'ours' });
      expect(await all(other.readAll(null))).toMatchObject([{ stream, data: { n: 'ours' } }]);
      const [category = ''] = stream.split('-');
      const found = await deliveries(other, { after: null, categories: [category] }, untilEvents(1));
      expect(eventsOf(found)).toMatchObject([{ stream, data: { n: 'ours' } }]);
      await other.close();
    });

    it('takes no event of somebody else for its last one, and leaves it out of none of its own categories', async () => {
      const other = newNamespace();
      const ours = EventStoreDb.open({ url, namespace: other });
      const strangers = new Connection(url);
      const write = (name: string, metadata?: Record<string, unknown>) =>
        strangers.line.client.appendToStream(
          `${other}.${name}`,
          jsonEvent({ type: 'Noted', data: { n: 'theirs' }, ...(metadata && { metadata }) }),
        );
      const [category] = stream.split('-');
      await ours.append(stream, NO_STREAM, [sample({ n: 'ours' })]);
      // Without an envelope; with some of one; with one that has no time.
      await write('test-1');
      await write('test-1', { occurredAt: '2026-01-15T12:00:00.000Z' });
      await write('test-1', { occurredAt: 'today', hash: 'a' });
      await write(`${category}-2`);
      expect(await ours.head()).toMatchObject({ stream, data: { n: 'ours' } });
      expect(await all(ours.readAll(null))).toMatchObject([{ stream }]);
      // Who folds the category is shown it, with nothing that could be taken for an envelope.
      const found = eventsOf(await deliveries(ours, { after: null, categories: [category ?? ''] }, untilEvents(2)));
      expect(found).toMatchObject([{ stream }, { stream: `${category}-2`, metadata: {} }]);
      expect(found[1]?.metadata).toEqual({});
      const named = await all(ours.readCategories(null, [category ?? '']));
      expect(named).toMatchObject([{ stream }, { stream: `${category}-2`, metadata: {} }]);
      strangers.close();
      await ours.close();
    });

    it('goes on with one subscription while only others write, and tells how far the log is', async () => {
      let lines = 0;
      class Counted extends Connection {
        override another() {
          lines += 1;
          return super.another();
        }
      }
      const connection = new Counted(url);
      const reads = new Reads(connection, 30_000); // that a busy server is slow is no reason to begin anew
      const source = { connection, reads, namespace: new Namespace(namespace) };
      const over = new AbortController();
      const options = { after: await endOf(store), categories: [newCategory()], signal: over.signal };
      const written: (string | null)[] = [];
      lines = 0;
      for await (const { checkpoint } of follow(source, options)) {
        if (checkpoint.position < (written.at(-1) ?? '')) continue; // others write too
        if (written.length === 2) over.abort();
        else written.push((await store.append(`${stream}${written.length}`, NO_STREAM, [sample()])).position);
      }
      // Whoever else uses this server may write more than a subscription waits for before it is taken to have ended.
      const isBusy = (await reads.from(options.after, MANY)).length === MANY;
      connection.close();
      expect(written).toHaveLength(2);
      expect(isBusy || lines === 1).toBe(true);
    });

    it('leaves what is under way elsewhere in the process alone when it is closed', async () => {
      const other = EventStoreDb.open({ url, namespace });
      await other.append(`${stream}0`, NO_STREAM, [sample()]);
      const underWay = upTo(64).map((n) => store.append(`${stream}-${n}`, NO_STREAM, [sample()]));
      await other.close();
      expect(await Promise.all(underWay)).toHaveLength(64);
    });

    it('finishes the appends under way when it is closed, and takes no more', async () => {
      const underWay = upTo(64).map((n) => store.append(`${stream}-${n}`, NO_STREAM, [sample()]));
      await store.close();
      expect(await Promise.all(underWay)).toHaveLength(64);
      await expect(store.append(stream, NO_STREAM, [sample()])).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(all(store.readStream(stream))).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('ends its subscriptions when it is closed', async () => {
      const { signal } = new AbortController();
      const subscription = store.subscribe({ after: null, categories: [newCategory()], signal });
      const consumer = subscription[Symbol.asyncIterator]();
      await consumer.next(); // caught up
      const waiting = consumer.next();
      await store.close();
      expect((await waiting).done).toBe(true);
    });
  });
};

if (serverUrl === null) {
  tellNotGiven('EventStoreDb', 'EVENTSTORE_URL');
  it.skip('skipped: EVENTSTORE_URL is not set', () => undefined);
} else suite(serverUrl);
