import { type Delivery, type EventStore, NO_STREAM, type StoredEvent } from './event-store.port.js';
import type { Checkpoint } from './stored-event.js';
import {
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

export const subscriptionContract = (name: string, open: () => Promise<EventStore>): void => {
  describe(`${name} as a source of subscriptions`, () => {
    let store: EventStore;
    let category = '';
    let after: Checkpoint;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      category = newCategory();
      after = await endOf(store);
    });

    const follow = (from: Checkpoint | null, isLast: Parameters<typeof deliveries>[2]) =>
      deliveries(store, { after: from, categories: [category] }, isLast);
    const revisionsByStream = (events: readonly StoredEvent[]) => {
      const streams = new Map<string, number[]>();
      for (const { stream, revision } of events) streams.set(stream, [...(streams.get(stream) ?? []), revision]);
      return streams;
    };
    /** `writers` streams side by side, each appended to `count` times, one event at a time. */
    const write = (writers: number, count: number) =>
      Promise.all(
        upTo(writers).map(async (writer) => {
          for (const n of upTo(count)) await store.append(`${category}-${writer}`, n - 1, [sample({ n })]);
        }),
      );

    it('delivers history and then what comes', async () => {
      await store.append(`${category}-1`, NO_STREAM, samples(2));
      let live: Promise<unknown> | undefined;
      const found = await follow(after, (delivery, soFar) => {
        if (!delivery.event) live ??= store.append(`${category}-1`, 1, samples(2, 2)); // once it has caught up
        return eventsOf(soFar).length === 4;
      });
      await live;
      expect(numbersOf(eventsOf(found))).toEqual([0, 1, 2, 3]);
    });

    it('misses nothing and repeats nothing across the seam of history and live, while writers are busy', async () => {
      await write(4, 100);
      const busy = Promise.all(
        upTo(8).map(async (writer) => {
          for (const n of upTo(100)) await store.append(`${category}-busy${writer}`, n - 1, [sample({ n })]);
        }),
      );
      const found = eventsOf(await follow(after, untilEvents(1_200)));
      await busy;
      const positions = found.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
      for (const revisions of revisionsByStream(found).values()) expect(revisions).toEqual(upTo(100));
      expect(revisionsByStream(found).size).toBe(12);
    });

    it('gives a slow consumer each event once, in order, and only when it asks', async () => {
      const subscription = store.subscribe({ after, categories: [category], signal: new AbortController().signal });
      const consumer = subscription[Symbol.asyncIterator]();
      const found: Delivery[] = [];
      for (const n of upTo(40)) {
        await store.append(`${category}-1`, n * 10 - 1, samples(10, n * 10)); // ten come for each one it takes
        const { value } = (await consumer.next()) as { value: Delivery };
        found.push(value);
      }
      while (eventsOf(found).length < 400) found.push(((await consumer.next()) as { value: Delivery }).value);
      await consumer.return?.();
      expect(numbersOf(eventsOf(found))).toEqual(upTo(400));
    });

    it('delivers the categories asked for and no other', async () => {
      const other = newCategory();
      for (const n of upTo(20)) {
        await store.append(`${category}-${n}`, NO_STREAM, [sample({ n: n * 3 })]);
        await store.append(`${category}s-${n}`, NO_STREAM, [sample({ n: n * 3 + 1 })]);
        await store.append(`${other}-${n}`, NO_STREAM, [sample({ n: n * 3 + 2 })]);
      }
      const found = await deliveries(store, { after, categories: [category, other] }, untilEvents(40));
      expect(numbersOf(eventsOf(found))).toEqual(upTo(60).filter((n) => n % 3 !== 1));
    });

    it('delivers all streams where no category is asked for', async () => {
      const other = newCategory();
      for (const n of upTo(20)) await store.append(`${n % 2 ? category : other}-${n}`, NO_STREAM, [sample({ n })]);
      const { position } = (await store.head()) ?? { position: '' };
      const found = await deliveries(
        store,
        { after, categories: null },
        ({ checkpoint }) => checkpoint.position >= position,
      );
      const ours = eventsOf(found).filter(({ stream }) => [category, other].includes(stream.split('-')[0] ?? ''));
      expect(numbersOf(ours)).toEqual(upTo(20));
    });

    it('tells how far silence reaches, in history and live', async () => {
      const silent = newCategory();
      await store.append(`${silent}-1`, NO_STREAM, samples(600));
      const head = (await store.head())?.position ?? '';
      const history = await follow(after, ({ checkpoint }) => checkpoint.position >= head);
      expect(eventsOf(history)).toEqual([]);

      const start = history.at(-1)?.checkpoint ?? after;
      let appended: Promise<unknown> | undefined;
      const live = await follow(start, ({ checkpoint }) => {
        appended ??= store.append(`${silent}-1`, 599, samples(3)); // once it has caught up
        return checkpoint.position > start.position;
      });
      await appended;
      expect(eventsOf(live)).toEqual([]);
    });

    it('tells once that it has caught up, also where there was nothing to deliver', async () => {
      const [only] = await follow(after, () => true);
      expect(only).toMatchObject({ event: null });
      const positions = [after.position, only?.checkpoint.position];
      expect(positions).toEqual([...positions].sort());
    });

    it('has checkpoints that ascend and include the event they come with', async () => {
      await Promise.all([write(3, 30), store.append(`${newCategory()}-1`, NO_STREAM, samples(400))]);
      const found = await follow(after, (delivery, soFar) => !delivery.event && eventsOf(soFar).length === 90);
      const positions = found.map(({ checkpoint }) => checkpoint.position);
      expect(positions).toEqual([...positions].sort());
      for (const { event, checkpoint } of found) if (event) expect(checkpoint.position).toBe(event.position);
    });

    it('goes on after any of its checkpoints with what comes next', async () => {
      await write(3, 10);
      await store.append(`${newCategory()}-1`, NO_STREAM, samples(300));
      const found = await follow(after, (delivery, soFar) => !delivery.event && eventsOf(soFar).length === 30);
      await store.append(`${category}-last`, NO_STREAM, [sample({ n: 'last' })]);
      for (const [place, { checkpoint }] of found.entries()) {
        const rest = eventsOf(found.slice(place + 1));
        const resumed = eventsOf(await follow(checkpoint, untilEvents(rest.length + 1)));
        expect(resumed.slice(0, -1)).toEqual(rest);
        expect(numbersOf(resumed.slice(-1))).toEqual(['last']);
      }
    });

    it('serves several subscriptions at their own pace', async () => {
      const following = [
        follow(after, untilEvents(60)),
        follow(after, untilEvents(60)),
        deliveries(store, { after: null, categories: [category] }, untilEvents(60)),
      ];
      await write(3, 20);
      const [one, two, three] = (await Promise.all(following)).map(eventsOf);
      expect(two).toEqual(one);
      expect(three).toEqual(one);
    });

    it('ends at once when aborted while it waits', async () => {
      const over = new AbortController();
      const subscription = store.subscribe({ after, categories: [category], signal: over.signal });
      const consumer = subscription[Symbol.asyncIterator]();
      expect((await consumer.next()).value).toMatchObject({ event: null }); // caught up
      const waiting = consumer.next();
      over.abort();
      expect((await waiting).done).toBe(true);
    });

    it('delivers nothing more once it is aborted', async () => {
      await store.append(`${category}-1`, NO_STREAM, samples(10));
      expect(eventsOf(await follow(after, untilEvents(3)))).toHaveLength(3);
      const isOver = AbortSignal.abort();
      for await (const _ of store.subscribe({ after, categories: [category], signal: isOver }))
        throw new Error('delivered');
    });
  });
};
