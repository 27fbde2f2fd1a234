import process from 'node:process';
import { tellNotGiven } from '#testing';
import { AppendOutcomeUnknown } from './event-store.errors.js';
import { EventStoreDb } from './event-store.eventstoredb.js';
import { newNamespace, serverUrl } from './testing/event-store-server.js';
import { all, sample, upTo } from './testing/sample-events.js';

const WRITERS = 32;
/** How long (s) they write; a minute by hand. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 3);

const onlyUnknown = (error: unknown): false => {
  if (error instanceof AppendOutcomeUnknown) return false;
  throw error;
};

const suite = (url: string): void => {
  describe('EventStoreDb under many writers', () => {
    it(
      `delivers every event of ${WRITERS} writers once, in the log’s order, in ${SECONDS} seconds`,
      async () => {
        const namespace = newNamespace();
        const [store, another] = [EventStoreDb.open({ url, namespace }), EventStoreDb.open({ url, namespace })];
        const over = new AbortController();
        const follow = async (from: EventStoreDb, categories: readonly string[]): Promise<readonly string[]> => {
          const found: string[] = [];
          for await (const { event } of from.subscribe({ after: null, categories, signal: over.signal })) {
            if (event?.type === 'Noted' && event.data['last'] === true) break;
            if (event) found.push(`${event.stream} ${event.revision}`);
          }
          return found;
        };
        const categories = ['even', 'odd', 'last'];
        const following = [
          follow(store, categories),
          follow(another, categories),
          follow(another, categories.slice(1)),
        ];

        const end = performance.now() + SECONDS * 1_000;
        const write = async (writer: number): Promise<void> => {
          for (let revision = 0; performance.now() < end; revision += 1) {
            const stream = `${writer % 2 ? 'odd' : 'even'}-${writer}`;
            const events = [sample({ writer, revision })];
            const send = () => (writer % 3 ? store : another).append(stream, revision - 1, events);
            // A busy server may not answer in time: what has an unknown outcome is sent again as it is (rule 12).
            while (!(await send().then(() => true, onlyUnknown)));
          }
        };
        await Promise.all(upTo(WRITERS).map(write));
        await store.append('last-1', -1, [sample({ last: true })]);

        const [one, two, odd] = await Promise.all(following);
        const log = (await all(another.readAll(null)))
          .slice(0, -1)
          .map(({ stream, revision }) => `${stream} ${revision}`);
        expect(log.length).toBeGreaterThan(WRITERS * 2);
        expect(new Set(log).size).toBe(log.length);
        expect(one).toEqual(log);
        expect(two).toEqual(log);
        expect(odd).toEqual(log.filter((place) => place.startsWith('odd-')));
        await Promise.all([store.close(), another.close()]);
      },
      SECONDS * 3_000 + 30_000,
    );
  });
};

if (serverUrl === null) {
  tellNotGiven('EventStoreDb under many writers', 'EVENTSTORE_URL');
  it.skip('skipped: EVENTSTORE_URL is not set', () => undefined);
} else suite(serverUrl);
